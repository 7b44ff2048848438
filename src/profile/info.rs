//! Describes profiles and settings as data, with every setting in the text form that the options take.

use serde_json::{Value, json};

use crate::assembly::{Activation, BREAK_EVEN_TOKENS};

use super::{Profile, Settings};

impl Profile {
    /// Returns the row as data, for tables: `name`, `after`, `summary`, `shows`, the keys of [`Settings::info`], and
    /// the profile's own lists `alwaysAvailable` and `specialCategories`.
    pub fn info(&'static self) -> Value {
        let Profile { name, after, summary, shows, always_available, special_categories, .. } = self;
        let mut info = json!({ "name": name, "after": after, "summary": summary, "shows": shows });
        let mut settings = self.settings().info();
        settings["alwaysAvailable"] = json!(always_available);
        settings["specialCategories"] = json!(special_categories);
        if let (Value::Object(info), Value::Object(settings)) = (&mut info, settings) {
            info.extend(settings);
        }
        info
    }
}

impl Settings {
    /// Returns the settings as data, in the text forms that the options take. `null` means no limit.
    pub fn info(&self) -> Value {
        let Settings { eligibility, assembly, discovery, .. } = self;
        let (search, budget, bounds) = (&discovery.search, &discovery.budget, &discovery.bounds);
        json!({
            "profile": self.profile.name,
            "activation": match assembly.activation {
                Activation::On => json!("on"),
                Activation::Off => json!("off"),
                Activation::Auto => json!("auto"),
                Activation::Tools(tools) => json!({ "tools": tools }),
                Activation::Tokens(tokens) => json!({ "tokens": tokens }),
                Activation::ContextShare => json!({ "contextShare": assembly.context_share }),
            },
            // The number of tokens from which `auto` defers tools.
            "autoTokens": BREAK_EVEN_TOKENS,
            "deferral": eligibility.lists.consent.as_str(),
            "disclosure": assembly.disclosure.as_str(),
            "stubWhen": assembly.stub_when.as_str(),
            "reveal": discovery.reveal.as_str(),
            "budget": { "tools": bounded(budget.tools), "tokens": bounded(budget.tokens) },
            "unrevealedCall": discovery.unrevealed_call.as_str(),
            "outOfScope": discovery.out_of_scope.as_str(),
            "search": {
                "ranker": search.ranker.as_str(),
                "grammar": search.grammar.as_str(),
                "universe": search.universe.as_str(),
                "cutoff": search.cutoff.as_str(),
                "hits": search.hits,
                "maxHits": bounded(search.most_hits),
                "without": search.without.names().collect::<Vec<_>>(),
            },
            "searchesPerMinute": discovery.searches_per_minute,
            "limits": {
                "tools": self.most_tools,
                "bytes": self.most_bytes,
                "serverBytes": self.most_server_bytes,
                "sessions": self.most_sessions,
                "revealed": bounds.tools,
                "revealedTokens": bounded(bounds.tokens),
                "whenFull": bounds.when_full.as_str(),
            },
            "surface": discovery.surface.iter().map(|tool| tool.definition.name).collect::<Vec<_>>(),
        })
    }
}

/// Returns a limit, or `None` if it is `usize::MAX`, which means no limit.
fn bounded(most: usize) -> Option<usize> {
    Some(most).filter(|most| *most < usize::MAX)
}
