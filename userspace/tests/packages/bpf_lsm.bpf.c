// SPDX-License-Identifier: GPL-2.0
/*
 * What BPF can do alone on a stock kernel: refuse the six operations that make names
 * where the name is no UTF-8. It is what utf8guard_fs is compared with, in bpf_lsm.t.
 */
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#define EILSEQ 84

struct qstr {
	const unsigned char *name;
} __attribute__((preserve_access_index));

struct dentry {
	struct qstr d_name;
} __attribute__((preserve_access_index));

struct inode;

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u8[256]);
} buffer SEC(".maps");

static int judge(struct dentry *dentry)
{
	__u8 need = 0, low = 0x80, high = 0xbf;
	__u32 zero = 0;
	__u8 *name = bpf_map_lookup_elem(&buffer, &zero);
	int i;

	if (!name || bpf_probe_read_kernel_str(name, 256, BPF_CORE_READ(dentry, d_name.name)) < 0)
		return -EILSEQ;
	for (i = 0; i < 255 && name[i]; i++) {
		__u8 c = name[i];

		if (need) {
			if (c < low || c > high)
				return -EILSEQ;
			low = 0x80;
			high = 0xbf;
			need--;
		} else if (c >= 0x80) {
			if (c < 0xc2 || c > 0xf4)
				return -EILSEQ;
			need = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
			low = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
			high = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
		}
	}
	return need ? -EILSEQ : 0;
}

SEC("lsm/inode_create")
int BPF_PROG(create, struct inode *dir, struct dentry *dentry) { return judge(dentry); }

SEC("lsm/inode_mkdir")
int BPF_PROG(mkdir, struct inode *dir, struct dentry *dentry) { return judge(dentry); }

SEC("lsm/inode_mknod")
int BPF_PROG(mknod, struct inode *dir, struct dentry *dentry) { return judge(dentry); }

SEC("lsm/inode_symlink")
int BPF_PROG(symlink, struct inode *dir, struct dentry *dentry) { return judge(dentry); }

SEC("lsm/inode_link")
int BPF_PROG(link, struct dentry *old, struct inode *dir, struct dentry *dentry) { return judge(dentry); }

SEC("lsm/inode_rename")
int BPF_PROG(rename, struct inode *old_dir, struct dentry *old, struct inode *dir, struct dentry *dentry) { return judge(dentry); }

char _license[] SEC("license") = "GPL";
