// SPDX-License-Identifier: GPL-2.0
/* Changes to the rules of one check that are made together, or not at all. */
#include <errno.h>

#include "output/exit_status.h"
#include "output/output.h"
#include "transaction.h"

static struct request request;

/* Return: 0; ENOENT where the check is not loaded; or another errno, positive; after a complaint. */
int transaction_open(struct transaction *t, const struct rules *of)
{
	int error = netlink_open(&t->nl, of->family);

	t->of = of;
	if (error)
		netlink_complain_absent(of->family, error);
	return error;
}

int transaction_begin(struct transaction *t)
{
	json_t *reply = NULL;
	int status;

	request_init(&request, t->of->begin);
	status = netlink_do(&t->nl, &request, t->of->status, &reply);
	t->generation = (u32)member_number(reply, "generation");
	t->is_unchanged = false;
	t->is_late = false;
	json_decref(reply);
	return status;
}

/*
 * @seconds until the previous rules come back, unless confirmed; 0 is never. Without a complaint
 * where somebody else was faster: that is for whoever may try again.
 */
int transaction_commit(struct transaction *t, u32 seconds)
{
	struct refusal refusal;
	json_t *reply = NULL;

	request_init(&request, t->of->commit);
	request_u32(&request, t->of->generation, t->generation, NULL);
	if (seconds)
		request_u32(&request, t->of->seconds, seconds, "--confirm");
	if (!netlink_ask(&t->nl, &request, t->of->status, &reply, &refusal)) {
		t->is_unchanged = member_number(reply, "generation") == t->generation;
		json_decref(reply);
		return STATUS_DONE;
	}
	t->is_late = refusal.error == ERESTART;
	if (!t->is_late)
		netlink_complain(&t->nl, t->of->status, &refusal);
	return STATUS_REFUSED;
}

void transaction_close(struct transaction *t)
{
	netlink_close(&t->nl);
}

/* Return: 0 or errno, positive, without a complaint. */
int transaction_order(struct transaction *t, enum order order, struct refusal *refusal)
{
	request_init(&request, t->of->order[order]);
	return netlink_ask(&t->nl, &request, t->of->status, NULL, refusal);
}
