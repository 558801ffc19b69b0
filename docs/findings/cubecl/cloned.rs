// x += 1, tuned with the inputs that CubeCL's own short way makes: clones. Prints what the caller has
// after the first call; 2 is right.
#[path = "common.rs"]
mod common;
use std::sync::Arc;

use common::*;
use cubecl::server::Handle;
use cubecl::tune::{LocalTuner, Tunable, TunableSet};

static TUNER: LocalTuner<String, String> = LocalTuner::new("cloned");

fn main() {
    let client = client();
    let mut set =
        TunableSet::<String, Handle, ()>::new_cloning_inputs(|_: &Handle| "key".to_string());
    for unroll in [1, 2, 4] {
        let client = client.clone();
        set = set.with(Tunable::new(
            &format!("unroll {unroll}"),
            move |x: Handle| {
                launch(&client, &x, 1.0, unroll);
                Ok::<(), String>(())
            },
        ));
    }
    let set = Arc::new(set);
    for call in ["first", "second"] {
        let x = vector(&client, 1.0);
        TUNER.execute(&"cpu".to_string(), &client, set.clone(), x.clone());
        println!("{call} call: x = {}", first(&client, &x));
    }
}
