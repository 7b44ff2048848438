//! Fuzz target: prebuilt indexes with a correct hash and any content.

use std::cell::OnceCell;

use toolsift::{ErrorCode, Format, RegisterOptions, Settings, ToolSift};

use super::sound;
use crate::common::settings;
use crate::prebuilt_of::{head, resealed};

/// Without stems, which take the longest to prepare.
fn wanted() -> Settings {
    settings(serde_json::json!({ "search": { "without": ["stems"] } }))
}

thread_local! {
    static HEAD: OnceCell<Vec<u8>> = const { OnceCell::new() };
}

/// What every index of this version begins with.
fn beginning() -> Vec<u8> {
    HEAD.with(|kept| {
        let made = || {
            let index = ToolSift::new(wanted()).export_index();
            index[..head(&index)].to_vec()
        };
        kept.get_or_init(made).clone()
    })
}

/// The bytes are the content behind the head. It is refused, or gives a catalog that works.
pub fn prebuilt(data: &[u8]) {
    let index = resealed([&beginning()[..], data].concat());
    let sift = match ToolSift::from_index(&index, wanted()) {
        Ok(sift) => sift,
        Err(error) => {
            sound::error(&error);
            let known = [ErrorCode::IndexInvalid, ErrorCode::IndexStale, ErrorCode::NameReserved];
            assert!(known.contains(&error.code()), "{error}");
            return;
        }
    };
    for query in ["send mail", "raed the file", "server:mail x", "/s.*/", "select:send_mail"] {
        sound::search(&sift, query, Some(10));
    }
    let names: Vec<String> = sift.tools().unwrap().iter().map(|tool| tool.name.to_string()).collect();
    for name in names.iter().take(5) {
        sift.search("send a mail or read").explain(name).unwrap();
    }
    let session = sift.session("s", None).unwrap();
    session.call("search_tools", r#"{"query":"send mail, read file"}"#).unwrap();
    session.reveal(&names).unwrap();
    for (_, format) in Format::ALL {
        sound::request(&session.assemble(*format).unwrap());
    }
    let new = r#"[{"name":"send_fax","description":"Sends a fax."}]"#;
    sift.sync("mail", new, &RegisterOptions::default()).unwrap();
    sound::search(&sift, "send fax", None);
    let again = ToolSift::from_index(&sift.export_index(), wanted()).unwrap();
    assert_eq!(again.content_hash(), sift.content_hash());
}
