/* Without libFuzzer and sanitizers: inputs from files, over and over for SECONDS (1), and how many executions a second that is. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define INPUTS_MAX 4096

static struct {
	uint8_t *bytes;
	size_t n;
} inputs[INPUTS_MAX];

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static size_t read_folder(const char *folder)
{
	DIR *listing = opendir(folder);
	size_t n = 0;

	for (struct dirent *e; listing && n < INPUTS_MAX && (e = readdir(listing));) {
		char path[512];
		FILE *f;

		snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		f = *e->d_name == '.' ? NULL : fopen(path, "re");
		if (!f)
			continue;
		inputs[n].bytes = malloc(1 << 16);
		inputs[n].n = fread(inputs[n].bytes, 1, 1 << 16, f);
		fclose(f);
		n++;
	}
	if (listing)
		closedir(listing);
	return n;
}

int main(int argc, char **argv)
{
	const char *text = getenv("SECONDS_EACH");
	double seconds = text ? strtod(text, NULL) : 1, began_s;
	size_t n = argc > 2 ? read_folder(argv[2]) : 0;
	unsigned long runs = 0;

	if (!n)
		return 1;
	for (size_t i = 0; i < n; i++)	/* once, so that what is made at first is not counted */
		LLVMFuzzerTestOneInput(inputs[i].bytes, inputs[i].n);
	for (began_s = cpu_s(); cpu_s() - began_s < seconds; runs += n)
		for (size_t i = 0; i < n; i++)
			LLVMFuzzerTestOneInput(inputs[i].bytes, inputs[i].n);
	printf("%-20s %10.0f executions a second of processor time, %zu seeds\n", argv[1], (double)runs / (cpu_s() - began_s), n);
	return 0;
}
