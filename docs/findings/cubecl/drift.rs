// x += 1, tuned on a copy of x, as an InputGenerator is there for. Prints what each launch finds in x; 1 is
// right.
#[path = "common.rs"]
mod common;
use std::sync::{Arc, Mutex};

use common::*;
use cubecl::server::Handle;
use cubecl::tune::{LocalTuner, Tunable, TunableSet};

static TUNER: LocalTuner<String, String> = LocalTuner::new("drift");

fn main() {
    let client = client();
    let copy: Arc<Mutex<Option<Handle>>> = Arc::default();
    let (kept, copier) = (copy.clone(), client.clone());
    let mut set = TunableSet::<String, Handle, ()>::new(
        |_: &Handle| "key".to_string(),
        move |_: &String, x: &Handle| {
            let content = copier.read_one(x.clone()).expect("it can be read");
            let copied = copier.create_from_slice(&content);
            *kept.lock().unwrap() = Some(copied.clone());
            copied
        },
    );
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
    let x = vector(&client, 1.0);
    TUNER.execute(&"cpu".to_string(), &client, Arc::new(set), x.clone());
    let copy = copy.lock().unwrap().take().expect("it was tuned");
    let launches = first(&client, &copy) - 1.0;
    println!("the caller's x = {}", first(&client, &x));
    println!("{launches} launches of trials; the last one found x = {launches}");
}
