// SPDX-License-Identifier: GPL-2.0
//! Rust's validators, for validate.c: simdutf8, and that of the core library.

#[no_mangle]
pub extern "C" fn by_simdutf8(text: *const u8, len: usize) -> bool {
    simdutf8::basic::from_utf8(unsafe { core::slice::from_raw_parts(text, len) }).is_ok()
}

/// As ours: the place of the mistake is found, too.
#[no_mangle]
pub extern "C" fn by_simdutf8_compat(text: *const u8, len: usize) -> bool {
    simdutf8::compat::from_utf8(unsafe { core::slice::from_raw_parts(text, len) }).is_ok()
}

#[no_mangle]
pub extern "C" fn by_rust(text: *const u8, len: usize) -> bool {
    core::str::from_utf8(unsafe { core::slice::from_raw_parts(text, len) }).is_ok()
}
