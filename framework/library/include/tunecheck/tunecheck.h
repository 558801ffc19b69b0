// The reference tuner for programs in C, and in every language that can call C: docs/library.md.
//
// Errors.    A function that can fail returns a tunecheck_status: TUNECHECK_OK is 0, and anything
//            else has a text, which tunecheck_error_text() returns. No exception leaves a function.
//            A failed call leaves the caller's tensors as they were, and what it would have created
//            is NULL.
// Threads.   Any function may be called by any thread at any time, with one exception: an object
//            must not be destroyed while another thread uses it. The error text is the calling
//            thread's own. Several threads may call one kernel at once, on tensors that do not
//            overlap.
// Ownership. What a function creates, the caller destroys; NULL may be destroyed. A kernel keeps
//            what it needs of its tuner alive, so that the two may be destroyed in any order.
//            Arguments belong to the caller, and are not used after the function has returned,
//            except for tensors on a GPU, which must live until their stream has come to the
//            launch.
// Versions.  Options and reports begin with their size, which the caller sets. Later versions only
//            add to the end of these two, to enumerations and to functions, so that a program need
//            not be compiled anew. TUNECHECK_ABI_VERSION changes if that is ever broken, and with
//            it the name of the library.
#ifndef TUNECHECK_TUNECHECK_H
#define TUNECHECK_TUNECHECK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TUNECHECK_API __attribute__((visibility("default")))
#else
#define TUNECHECK_API
#endif

#define TUNECHECK_ABI_VERSION 0

typedef int32_t tunecheck_status;
enum {
  TUNECHECK_OK = 0,
  TUNECHECK_BAD_INPUT = 1,     /* a file, a name or an argument makes no sense */
  TUNECHECK_UNSUPPORTED = 2,   /* this machine cannot do it */
  TUNECHECK_MACHINE = 3,       /* a program, a library, memory or a folder is missing or failed */
  TUNECHECK_UNTRUSTED = 4,     /* no config can be used, or the compiler failed */
  TUNECHECK_INTERNAL = 5,      /* a mistake in tunecheck itself */
  TUNECHECK_LAUNCH_REFUSED = 6 /* the kernel or the driver refused the launch; see launch_status */
};

typedef int32_t tunecheck_dtype;
enum {
  TUNECHECK_F64 = 0,
  TUNECHECK_F32 = 1,
  TUNECHECK_BF16 = 2,
  TUNECHECK_F16 = 3,
  TUNECHECK_I32 = 4,
  TUNECHECK_I64 = 5,
  TUNECHECK_U8 = 6
};

/* What a call made of the cache. */
typedef int32_t tunecheck_cache_use;
enum {
  TUNECHECK_CACHE_HIT = 0,      /* the winner was known */
  TUNECHECK_CACHE_MISS = 1,     /* there was none, or it had been searched with too little */
  TUNECHECK_CACHE_STALE = 2,    /* there was one that must not be used */
  TUNECHECK_CACHE_DISABLED = 3, /* tuned, and there is no cache folder */
  TUNECHECK_CACHE_PENDING = 4,  /* being searched for: the default config was launched */
  TUNECHECK_CACHE_UNCHECKED = 5 /* being searched on: a winner of less effort was launched */
};

/* One tuner: a device and a cache folder. */
typedef struct tunecheck_tuner tunecheck_tuner;
/* One kernel at one size, bound to a tuner. */
typedef struct tunecheck_kernel tunecheck_kernel;

/* NULL and 0 stand for what tunecheck_options_init() puts there. */
typedef struct tunecheck_options {
  size_t struct_size;
  const char* device;         /* "cpu", "cuda" or "hip"; NULL for "cpu" */
  const char* cache_folder;   /* NULL keeps winners in memory only */
  uint64_t cache_limit_bytes; /* of all files in it together; 0 for 1 GiB */
  /* "minimal", "balanced", "extensive" or "full": a stored winner that was searched with less is
   * searched on. NULL: everything is tried if there is no winner, and any winner is used. */
  const char* effort;
  int64_t trials;  /* at most so many configs are tried; 0 for no limit */
  int64_t time_ns; /* no trial begins after so long; 0 for no limit */
  int32_t
      compile_jobs; /* compilers at once, within cores and memory; 0 for as many as these allow */
  int32_t device_number; /* of a GPU, from 0 */
  int32_t never_search;  /* not 0: without a winner, the kernel's default config is launched */
  int32_t never_wait;    /* not 0: calls launch another config while the winner is searched for */
} tunecheck_options;

typedef struct tunecheck_size {
  const char* name;
  int64_t value;
} tunecheck_size;

/* The first element is at `data`, in the device's memory, at a multiple of the dtype's size;
 * NULL is one for a tensor without elements. A tensor that the kernel only reads may be broadcast,
 * with a stride of 0; one that it writes has a place for each element, which is followed up to 2^22
 * elements: above that, strides that cross are refused. */
typedef struct tunecheck_named_tensor {
  const char* name;
  void* data;
  tunecheck_dtype dtype;
  int32_t rank;           /* at most 8 */
  const int64_t* shape;   /* elements, `rank` of them */
  const int64_t* strides; /* elements; NULL for row-major without gaps */
} tunecheck_named_tensor;

typedef struct tunecheck_named_scalar {
  const char* name;
  double value;
} tunecheck_named_scalar;

/* Texts live until the thread's next call of a function of this header. */
typedef struct tunecheck_report {
  size_t struct_size;
  tunecheck_cache_use cache;
  int32_t launch_status; /* 0, or the kernel's or the driver's own number */
  int64_t compiles;      /* compilers that this call started */
  int64_t trials;        /* configs that are known by now, where this call tuned; else 0 */
  int64_t
      given_meanwhile; /* calls of the key so far that were given another config, with never_wait */
  const char* winner;  /* "block=64,unroll=4" */
  const char*
      message; /* for a person: why it tuned, every warning; "" if there is nothing to say */
} tunecheck_report;

/* "0.1.0" */
TUNECHECK_API const char* tunecheck_version(void);
/* TUNECHECK_ABI_VERSION of the library, to be compared with that of the header. */
TUNECHECK_API int32_t tunecheck_abi_version(void);

/* What the last call of this thread that failed has to say; "" if none has. The text lives until
 * the thread's next call that fails. Texts are UTF-8: a byte that is none is U+FFFD. */
TUNECHECK_API const char* tunecheck_error_text(void);

/* Fills in what stands for "not chosen"; with sizeof(tunecheck_options). */
TUNECHECK_API tunecheck_status tunecheck_options_init(tunecheck_options* options,
                                                      size_t struct_size);

/* `options` may be NULL. */
TUNECHECK_API tunecheck_status tunecheck_tuner_create(const tunecheck_options* options,
                                                      tunecheck_tuner** tuner);
TUNECHECK_API void tunecheck_tuner_destroy(tunecheck_tuner* tuner);

/* Reads the kernel in `folder` (kernel.info and its sources) at the size of that name. `sizes`
 * replaces single values of it; NULL with a count of 0 if there are none. A later change of the
 * sources is seen by the next bind. */
TUNECHECK_API tunecheck_status tunecheck_kernel_bind(tunecheck_tuner* tuner, const char* folder,
                                                     const char* size_name,
                                                     const tunecheck_size* sizes, size_t size_count,
                                                     tunecheck_kernel** kernel);
TUNECHECK_API void tunecheck_kernel_destroy(tunecheck_kernel* kernel);

/* Launches the winner on these tensors, which come in any order, after tuning where none is known.
 * Scalars that are not given have the kernel file's value. On a GPU the launch is put into
 * `stream`, and not waited for; on a CPU `stream` is NULL. `report` may be NULL; else its
 * struct_size is set. */
TUNECHECK_API tunecheck_status tunecheck_kernel_call(tunecheck_kernel* kernel,
                                                     const tunecheck_named_tensor* tensors,
                                                     size_t tensor_count,
                                                     const tunecheck_named_scalar* scalars,
                                                     size_t scalar_count, void* stream,
                                                     tunecheck_report* report);

#ifdef __cplusplus
}
#endif

#endif
