/* Tunes one kernel by the C API of the installed library, as a program of somebody else's would:
 * c_consumer KERNEL_FOLDER CACHE_FOLDER */
#include <stdio.h>
#include <stdlib.h>
#include <tunecheck/tunecheck.h>

enum { count = 16384 };

static int fail(const char* what) {
  fprintf(stderr, "%s: %s\n", what, tunecheck_error_text());
  return EXIT_FAILURE;
}

static int call(tunecheck_kernel* kernel, const char* what) {
  static float x[count], y[count];
  const int64_t shape[] = {count};
  const tunecheck_named_tensor tensors[] = {{"x", x, TUNECHECK_F32, 1, shape, NULL},
                                      {"y", y, TUNECHECK_F32, 1, shape, NULL}};
  const tunecheck_named_scalar scalars[] = {{"alpha", 2.0}};
  tunecheck_report report = {sizeof report, 0, 0, 0, 0, 0, NULL, NULL};
  for (int i = 0; i < count; ++i) {
    x[i] = 3;
    y[i] = 1;
  }
  if (tunecheck_kernel_call(kernel, tensors, 2, scalars, 1, NULL, &report) != TUNECHECK_OK)
    return fail("the call");
  for (int i = 0; i < count; ++i)
    if (y[i] != 7) {
      fprintf(stderr, "expected 7, found %g\n", (double)y[i]);
      return EXIT_FAILURE;
    }
  printf("%s: %s, winner %s\n", what, report.cache == TUNECHECK_CACHE_HIT ? "hit" : "miss",
         report.winner);
  return EXIT_SUCCESS;
}

int main(int argc, char** argv) {
  tunecheck_options options;
  tunecheck_tuner* tuner = NULL;
  tunecheck_kernel* kernel = NULL;
  if (argc != 3) return EXIT_FAILURE;
  if (tunecheck_abi_version() != TUNECHECK_ABI_VERSION) return EXIT_FAILURE;
  if (tunecheck_options_init(&options, sizeof options) != TUNECHECK_OK) return fail("the options");
  options.cache_folder = argv[2];
  options.effort = "minimal";
  const tunecheck_size sizes[] = {{"n", count}};
  if (tunecheck_tuner_create(&options, &tuner) != TUNECHECK_OK) return fail("the tuner");
  if (tunecheck_kernel_bind(tuner, argv[1], "smoke", sizes, 1, &kernel) != TUNECHECK_OK)
    return fail("the kernel");
  int status = call(kernel, "first call from C");
  if (status == EXIT_SUCCESS) status = call(kernel, "second call from C");
  tunecheck_tuner_destroy(tuner); /* in any order */
  tunecheck_kernel_destroy(kernel);
  return status;
}
