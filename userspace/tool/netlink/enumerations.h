/* SPDX-License-Identifier: GPL-2.0 */
/* The words for the values of the enumerations in include/netlink/. */
#ifndef UTF8GUARD_TOOL_ENUMERATIONS_H
#define UTF8GUARD_TOOL_ENUMERATIONS_H

/* In the order of the values; each list ends with NULL. */
extern const char *const words_mode[], *const words_scope[],
	*const words_subvolumes[], *const words_hook[], *const words_action[],
	*const words_direction[], *const words_part[], *const words_decode[],
	*const words_fail[], *const words_stream[], *const words_form[],
	*const words_outcome[], *const words_difference[];

/* NULL if there is no word for that number. */
const char *class_name(unsigned long long number);
const char *note_text(unsigned long long number);
const char *address_family_name(unsigned long long number);
const char *protocol_name(unsigned long long number);

#endif /* UTF8GUARD_TOOL_ENUMERATIONS_H */
