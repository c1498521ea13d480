// SPDX-License-Identifier: GPL-2.0
/*
 * BTF, the kernel's types of its functions, read as untrusted data.
 *
 * promise others in the kernel: types of the kernel in any state lead to no octet outside of them
 * shown by: prototype
 */
#include "../../../kernel/fs/prototype.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input input = { data, size };
	struct ugfs_btf btf, base;
	struct ugfs_prototype prototype = { 0 };
	size_t base_len, len;
	u8 *below, *types;
	bool has_base;
	u32 i;

	base_len = 8 * fuzz_octet(&input);
	below = fuzz_take(&input, base_len, &base_len);
	types = fuzz_take(&input, size, &len);
	has_base = !ugfs_btf_init(&base, below, base_len, NULL);
	if (!ugfs_btf_init(&btf, types, len, has_base ? &base : NULL) &&
	    !ugfs_btf_prototype(&btf, "make", &prototype)) {
		ugfs_prototype_find(&prototype, "name");
		for (i = 0; i < prototype.count && i < UGFS_MAX_PARAMETERS; i++) {
			fuzz_check(strlen(prototype.parameter[i].name) < len + base_len);
			ugfs_btf_is(&btf, prototype.parameter[i].type, "const struct path *");
		}
		ugfs_btf_is(&btf, prototype.result, "int");
	}
	free(types);
	free(below);
	return 0;
}
