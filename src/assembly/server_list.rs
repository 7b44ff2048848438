//! Lists the servers with how many tools each has, within a budget of characters. If the budget is too small, long
//! names are shortened first; then the servers with the fewest tools are left out, and the list says how many.

use std::cmp::Reverse;

use crate::catalog::{Tool, by_server};
use crate::text::one_line;

/// The maximum length of the list in characters: 1,000 tokens, enough for more than 200 servers with ordinary names.
const CHARS: usize = 4_000;
/// The minimum length of a shortened name, in characters: shorter beginnings do not tell servers apart.
const SHORTEST: usize = 16;
/// Characters in a line besides the name. It allows for two more digits than most servers need.
const AROUND: usize = "- ".len() + " (0000)\n".len();

struct Server {
    name: String,
    chars: usize,
    tools: usize,
}

/// Lists each server with the number of its tools, in order of registration.
pub(super) fn servers(tools: &[&Tool]) -> String {
    let servers = by_server(tools.iter().copied()).into_iter().map(|(server, tools)| {
        let name = one_line(&server);
        Server { chars: name.chars().count(), name, tools: tools.len() }
    });
    lines(&servers.collect::<Vec<_>>())
}

fn lines(servers: &[Server]) -> String {
    let chars: Vec<usize> = servers.iter().map(|server| server.chars).collect();
    let longest = share(&chars, CHARS.saturating_sub(servers.len() * AROUND)).max(SHORTEST);
    let mut by_size: Vec<usize> = (0..servers.len()).collect();
    by_size.sort_unstable_by_key(|at| (Reverse(servers[*at].tools), *at));
    let mut budget = CHARS;
    let fits = |at: &usize| {
        let left = budget.checked_sub(servers[*at].chars.min(longest) + AROUND);
        budget = left.unwrap_or(0);
        left.is_some()
    };
    let mut listed: Vec<usize> = by_size.into_iter().take_while(fits).collect();
    listed.sort_unstable();
    let line = |at: &usize| {
        let Server { name, tools, .. } = &servers[*at];
        format!("- {} ({tools})\n", shortened(name, longest))
    };
    let lines: String = listed.iter().map(line).collect();
    let more = servers.len() - listed.len();
    if more == 0 {
        return lines;
    }
    let all: usize = servers.iter().map(|server| server.tools).sum();
    let named: usize = listed.iter().map(|at| servers[*at].tools).sum();
    format!("{lines}- and {more} more servers ({} tools)\n", all - named)
}

/// Returns the maximum per entry so that all fit into `room`: entries that want less leave their rest to the others.
fn share(wanted: &[usize], room: usize) -> usize {
    let mut wanted = wanted.to_vec();
    wanted.sort_unstable();
    let mut left = room;
    for (at, wants) in wanted.iter().enumerate() {
        let share = left / (wanted.len() - at);
        if *wants > share {
            return share;
        }
        left -= wants;
    }
    usize::MAX
}

/// Returns a name of at most `longest` characters.
fn shortened(name: &str, longest: usize) -> String {
    match name.char_indices().nth(longest) {
        None => name.to_owned(),
        Some(_) => name.chars().take(longest - 1).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(names: impl Iterator<Item = (String, usize)>) -> Vec<String> {
        let servers = names.map(|(name, tools)| Server { chars: name.chars().count(), name, tools });
        let text = lines(&servers.collect::<Vec<_>>());
        assert!(text.chars().count() <= CHARS + 50, "{}", text.len());
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn all_servers_are_named_where_there_is_room() {
        let lines = listed((0..200).map(|at| (format!("server{at}"), at)));
        assert_eq!((lines.len(), &*lines[0], &*lines[199]), (200, "- server0 (0)", "- server199 (199)"));
    }

    #[test]
    fn long_names_are_shortened_before_a_server_is_left_out() {
        let name = |at: usize| if at % 2 == 0 { format!("s{at}") } else { format!("{at}{}", "é".repeat(100)) };
        let lines = listed((0..100).map(|at| (name(at), 1)));
        assert_eq!((lines.len(), &*lines[98]), (100, "- s98 (1)"));
        assert!(
            lines[99].starts_with("- 99éé") && lines[99].ends_with("é… (1)") && lines[99].len() > 60,
            "{}",
            lines[99]
        );
    }

    #[test]
    fn the_smallest_servers_are_left_out_and_counted() {
        let lines = listed((0..1_000).map(|at| (format!("the server number {at}"), at)));
        let (last, named) = lines.split_last().unwrap();
        let left_out = 1_000 - named.len();
        assert!((100..300).contains(&named.len()), "{}", named.len());
        assert_eq!(named[0], format!("- the server numb… ({left_out})"));
        assert_eq!(*last, format!("- and {left_out} more servers ({} tools)", left_out * (left_out - 1) / 2));
    }
}
