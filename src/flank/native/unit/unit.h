/* A unit for other programs: one resource file, some kernels, and what FMI 2 and 3 have in common.
 *
 * The resource (`resources/unit.bin`, written by flank/fmi/resource.py) holds the rows that kernels
 * are called with, the variables of the unit with the places of its data that they are, and the
 * data: model, state and scratch arrays. All words are 64 bits, in the order of the processor.
 * A unit is stepped in time (co-simulation), or evaluated: outputs and their derivatives follow
 * from the inputs at hand (model exchange without states, or co-simulation).
 * An instance is a copy of it; nothing is shared, and nothing outlives fmi?FreeInstance.
 */
#ifndef FLANK_UNIT_H
#define FLANK_UNIT_H

#include <stddef.h>
#include <stdint.h>

#if defined _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* Status of all functions, the same numbers in FMI 2 and 3. */
enum { OK, WARNING, DISCARD, ERROR };

/* What may be called when. */
enum { INSTANTIATED = 1, INITIALIZING = 2, RUNNING = 4, TERMINATED = 8, ANY = 15 };

/* Kernels as flank/native/entries.py makes them: a row of words in, results at its front. */
typedef int Kernel(int64_t *status, void **error, void *row);
typedef struct {
    uint64_t types; /* hash of the kernel's name and of the types of its arguments */
    Kernel *kernel;
} Entry;

/* Written by flank/native/unit_binary.py when the binary is built. */
extern const Entry flank_entries[];
extern const int64_t flank_entry_count;
extern const char flank_build[17];
extern const char *const flank_sentences[]; /* by the status of a run */
extern const int64_t flank_sentence_count;

typedef struct Unit Unit;
typedef void Log(const Unit *unit, int status, const char *category, const char *text);

/* Who writes the log: what a host gave to fmi?Instantiate. */
typedef struct {
    Log *log;
    void *environment;
    void (*function)(void);
    const char *name;
} Host;

Unit *unit_new(const char *folder, size_t length, const char *token, Host host);
void unit_free(Unit *unit);
const Host *unit_host(const Unit *unit);
int unit_expects(Unit *unit, int phases, const char *function);
int unit_refuses(Unit *unit, const char *function, const char *why);
void unit_set_logging(Unit *unit, int on);

int unit_setup(Unit *unit, double start_time);
int unit_enter(Unit *unit);
int unit_start(Unit *unit);
int unit_terminate(Unit *unit);
int unit_reset(Unit *unit);
int unit_step(Unit *unit, double time, double length);
double unit_time(const Unit *unit);
void unit_set_time(Unit *unit, double time);

int unit_get(Unit *unit, const uint32_t *references, size_t count, double *values);
int unit_set(Unit *unit, const uint32_t *references, size_t count, const double *values);

/* Whether it is also for model exchange: it has no states, and outputs follow from inputs. */
int unit_exchanges(const Unit *unit);
int unit_derivative(Unit *unit, const uint32_t *outputs, size_t rows, const uint32_t *inputs, size_t columns,
                    const double *seed, double *sums, int transposed);

size_t unit_state_size(const Unit *unit);
int unit_keep(Unit *unit, void **state);
int unit_restore(Unit *unit, const void *state);
int unit_write_state(Unit *unit, const void *state, char *bytes, size_t size);
int unit_read_state(Unit *unit, const char *bytes, size_t size, void **state);

#endif
