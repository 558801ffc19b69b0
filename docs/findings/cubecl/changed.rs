// The kernel behind a name changes: "changed 1" adds with the functions in one order, "changed 2" with what
// they do exchanged. The second program uses the winner of the first.
#[path = "common.rs"]
mod common;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::*;
use cubecl::server::Handle;
use cubecl::tune::{LocalTuner, Tunable, TunableSet};

static TUNER: LocalTuner<String, String> = LocalTuner::new("changed");
static LAUNCHES: AtomicUsize = AtomicUsize::new(0);

fn main() {
    // So often a unit does its work, by name: the slow one and the fast one change places.
    let times = match std::env::args().nth(1).as_deref() {
        Some("2") => [200, 1],
        _ => [1, 200],
    };
    let client = client();
    let mut set =
        TunableSet::<String, Handle, ()>::new_cloning_inputs(|_: &Handle| "key".to_string());
    for (name, times) in ["one way", "the other way"].into_iter().zip(times) {
        let client = client.clone();
        set = set.with(Tunable::new(name, move |x: Handle| {
            LAUNCHES.fetch_add(1, Ordering::Relaxed);
            if LAUNCHES.load(Ordering::Relaxed) == 1 {
                println!("first launch: {name}, {times} times the work");
            }
            for _ in 0..times {
                launch(&client, &x, 1.0, 1);
            }
            Ok::<(), String>(())
        }));
    }
    TUNER.execute(
        &"cpu".to_string(),
        &client,
        Arc::new(set),
        vector(&client, 1.0),
    );
    println!(
        "{} launches of trials",
        LAUNCHES.load(Ordering::Relaxed) - 1
    );
}
