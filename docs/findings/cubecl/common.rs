// What the reproductions share: a device that is a CPU, a vector there, and a kernel that adds to it.
#![allow(dead_code)]
use cubecl::Device;
use cubecl::client::Client;
use cubecl::prelude::*;
use cubecl::server::Handle;
use cubecl::wgpu::WgpuDeviceKind;

pub const ELEMENTS: usize = 1000;

pub fn client() -> Client {
    Device::vulkan(WgpuDeviceKind::Cpu)
        .expect("built with wgpu")
        .client()
}

#[cube(launch)]
fn add(x: &mut [f32], term: f32, #[comptime] unroll: u32) {
    for i in 0..unroll {
        let index = ABSOLUTE_POS as u32 * unroll + i;
        if index < x.len() as u32 {
            x[index as usize] += term;
        }
    }
}

/// x += term, with `unroll` elements per unit.
pub fn launch(client: &Client, x: &Handle, term: f32, unroll: u32) {
    let units = (ELEMENTS as u32).div_ceil(unroll);
    let x = unsafe { BufferArg::from_raw_parts(x.clone(), ELEMENTS) };
    let count = CubeCount::Static(units.div_ceil(64), 1, 1);
    add::launch(client, count, CubeDim::new_1d(64), x, term, unroll);
}

pub fn vector(client: &Client, value: f32) -> Handle {
    client.create_from_slice(f32::as_bytes(&[value; ELEMENTS]))
}

pub fn first(client: &Client, x: &Handle) -> f32 {
    f32::from_bytes(&client.read_one(x.clone()).expect("it can be read"))[0]
}
