// All tunables of a key fail, and the call panics; then what kept them from working is mended, and the same key
// is asked for again. Prints what each call launches.
#[path = "common.rs"]
mod common;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use common::*;
use cubecl::server::Handle;
use cubecl::tune::{LocalTuner, Tunable, TunableSet};

static TUNER: LocalTuner<String, String> = LocalTuner::new("pending");
static WORKS: AtomicBool = AtomicBool::new(false);
static LAUNCHES: AtomicUsize = AtomicUsize::new(0);

fn main() {
    let client = client();
    let mut set =
        TunableSet::<String, Handle, ()>::new_cloning_inputs(|_: &Handle| "key".to_string());
    for unroll in [1, 2, 4] {
        let client = client.clone();
        set = set.with(Tunable::new(
            &format!("unroll {unroll}"),
            move |x: Handle| {
                if !WORKS.load(Ordering::Relaxed) {
                    return Err("not yet");
                }
                LAUNCHES.fetch_add(1, Ordering::Relaxed);
                launch(&client, &x, 1.0, unroll);
                Ok(())
            },
        ));
    }
    let set = Arc::new(set);
    for call in 1..=4 {
        let before = LAUNCHES.load(Ordering::Relaxed);
        let result = catch_unwind(AssertUnwindSafe(|| {
            TUNER.execute(
                &"cpu".to_string(),
                &client,
                set.clone(),
                vector(&client, 1.0),
            )
        }));
        let launches = LAUNCHES.load(Ordering::Relaxed) - before;
        println!(
            "call {call}: {}, {launches} launches",
            if result.is_ok() { "done" } else { "panicked" }
        );
        WORKS.store(true, Ordering::Relaxed);
    }
}
