//! Tests that bytes that are not a prebuilt index, and damaged indexes, are refused.

use crate::common::{self, MCP60, settings};
use crate::prebuilt_of::{code, head, resealed};
use serde_json::{Value, json};
use toolsift::{ErrorCode, Format, ToolSift};

/// In wasm, and so slowly, only some of the places are tried.
const STEP: usize = 3;

/// Without stems, which take the longest to prepare.
fn wanted() -> Value {
    json!({ "search": { "without": ["stems"] } })
}

fn small() -> Vec<u8> {
    let tools = json!([
        { "name": "send_mail", "server": "mail", "title": "Send", "description": "Sends a message, and sends a copy.",
          "inputSchema": { "type": "object", "properties": { "to": { "type": "string" } } } },
        { "name": "read_file", "category": "disk", "searchHint": "text", "tags": ["a", "b"], "deferral": "always" },
    ]);
    common::sift(wanted(), &tools).export_index()
}

fn load(index: &[u8]) -> Option<(ErrorCode, String)> {
    code(&ToolSift::from_index(index, settings(wanted())))
}

fn is_told(index: &[u8], part: &str) {
    let (code, message) = load(index).unwrap_or_else(|| panic!("{part} was not told"));
    assert_eq!(code, ErrorCode::IndexInvalid, "{message}");
    assert!(message.contains(part) && message.len() < 300, "{message}");
}

#[test]
fn what_is_no_index() {
    for bytes in [&b""[..], b"t", b"toolsif", b"\0asm\x01\0\0\0", b"{}", MCP60.as_bytes(), &[0xff; 4096]] {
        is_told(bytes, "it does not begin as one of toolsift does");
    }
}

#[test]
fn what_was_cut_short_or_altered() {
    let index = small();
    for end in (8..index.len()).step_by(STEP) {
        is_told(&index[..end], "cut short or altered");
    }
    is_told(&[&index[..], &[0]].concat(), "cut short or altered");
    for at in (0..index.len()).step_by(STEP) {
        for bit in 0..8 {
            let mut altered = index.clone();
            altered[at] ^= 1 << bit;
            let (code, message) = load(&altered).unwrap_or_else(|| panic!("byte {at} is not covered"));
            let is_version = (8..head(&index) - 8).contains(&at);
            assert!(
                code == ErrorCode::IndexInvalid || (is_version && code == ErrorCode::IndexStale),
                "{at}: {message}"
            );
        }
    }
}

/// The small index with one run of bytes for another.
fn instead(of: &[u8], with: &[u8]) -> Vec<u8> {
    let index = small();
    let at = index.windows(of.len()).position(|window| window == of).unwrap();
    resealed([&index[..at], with, &index[at + of.len()..]].concat())
}

/// Schemas are looked at when they are needed: what is none must not reach a model then.
#[test]
fn what_is_no_schema_stands_as_one_without_parameters() {
    let schema = br#"{"type":"object","properties":{"to":{"type":"string"}}}"#;
    for other in [
        &br#"{"type":"object","properties":{"to":{"type":"string"}}]"#[..],
        br#"{"type":"string","properties":{"to":{"type":"string"}}}"#,
        br#"{"type":"object","properties":["to",["type"],"string"]}"#,
        br#"["type","object","properties", "to", "type", "string" ]"#,
        br#"{"type":"object"},"name":"x","parameters":{"to":"stri"}"#,
    ] {
        assert_eq!(other.len(), schema.len());
        let sift = ToolSift::from_index(&instead(schema, other), settings(wanted())).unwrap();
        let session = sift.session("s", None).unwrap();
        session.reveal(&["send_mail"]).unwrap();
        let tools: Value = serde_json::from_str(session.assemble(Format::Anthropic).unwrap().tools.get()).unwrap();
        let sent = tools.as_array().unwrap().iter().find(|tool| tool["name"] == "send_mail").unwrap();
        assert_eq!(sent["input_schema"], json!({ "type": "object", "properties": {} }));
    }
}

#[test]
fn what_could_be_told_is_told() {
    for (of, with) in [
        (&b"\x09send_mail\x09send_mail"[..], &b"\x09send_mail\x09read_file"[..]),
        (b"\x09read_file\x09read_file", b"\x09send_mail\x09send_mail"),
        (b"\x09send_mail\x09send_mail", b"\x09send_mail\x09send\0mail"),
        (b"\x09send_mail\x09send_mail", b"\x09send_mail\x09         "),
        (b"\x09send_mail\x09send_mail", b"\x09send_mail\x09send_m\xff\xfe\xfd"),
        // Words that are not in order, or twice there.
        (b"\x04mail\x07message", b"\x04nail\x07message"),
        (b"\x04read\x04send", b"\x04send\x04send"),
    ] {
        is_told(&instead(of, with), "it contradicts itself");
    }
}
