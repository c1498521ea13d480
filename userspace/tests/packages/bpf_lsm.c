// SPDX-License-Identifier: GPL-2.0
/* Attach all programs of an object of BPF, say so, and hold them until standard input ends. */
#include <bpf/libbpf.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	struct bpf_object *object;
	struct bpf_program *program;
	int count = 0;

	object = argc == 2 ? bpf_object__open(argv[1]) : NULL;
	if (!object || bpf_object__load(object)) {
		perror("the object does not load");
		return 1;
	}
	bpf_object__for_each_program(program, object) {
		if (!bpf_program__attach(program)) {
			perror(bpf_program__name(program));
			return 1;
		}
		count++;
	}
	printf("%d attached\n", count);
	fflush(stdout);
	while (getchar() != EOF)
		;
	return 0;
}
