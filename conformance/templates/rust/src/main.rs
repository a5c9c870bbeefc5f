// The harness of our implementation: it reads one JSON object a line, and writes one answer a line. The two
// operations below are complete. Replace them by calls of your library, then add the next to OPERATIONS.
use serde_json::{json, Value};
use std::io::{stdin, stdout, BufRead, Write};
use std::panic::catch_unwind;

type Operation = fn(&Value) -> Value;
const OPERATIONS: [(&str, Operation); 2] = [("capabilities.next_hop", next_hop), ("render.agent_chain", chain_text)];

/// A chain of agents that answer each other: hop, number of hops, and whether the agent is the last.
fn chain(input: &Value) -> Option<(u64, u64, bool)> {
    let chain = &input["chain"];
    Some((chain["hop"].as_u64()?, chain["max_hops"].as_u64()?, chain["is_final"].as_bool()?))
}

/// The chain as the next agent has it, or null where there is none.
fn next_hop(input: &Value) -> Value {
    match chain(input) {
        Some((hop, most, false)) if hop < most => {
            json!({"hop": hop + 1, "max_hops": most, "is_final": hop + 1 == most})
        }
        _ => Value::Null,
    }
}

/// What a model reads about the chain.
fn chain_text(input: &Value) -> Value {
    let Some((hop, most, is_final)) = chain(input) else { return Value::Null };
    if is_final {
        let end = "Synthesize a conclusion — do not invite another agent.";
        return json!(format!("You are responding as the FINAL hop ({hop} of {most}). {end}"));
    }
    let left = most.saturating_sub(hop);
    let hops = if left == 1 { "hop" } else { "hops" };
    json!(format!("You are responding as hop {hop} of a chain capped at {most} hops. [{left} {hops} remaining.]"))
}

/// What an operation makes of a case: a value, or a fault of this program.
fn answered(ask: &Value) -> Value {
    let found = OPERATIONS.iter().find(|(name, _)| ask["op"] == *name);
    match catch_unwind(|| found.expect("an operation that was declared").1(&ask["input"])) {
        Ok(value) => json!({"seq": ask["seq"], "value": value}),
        Err(_) => json!({"seq": ask["seq"], "errored": {"message": "a panic: standard error says which"}}),
    }
}

fn main() {
    for line in stdin().lock().lines() {
        let ask: Value = serde_json::from_str(&line.expect("a line of text")).expect("a line of JSON");
        let answer = match ask["cmd"].as_str() {
            Some("stop") => break,
            Some("start") => json!({
                "protocol": 1,
                "implementation": {"name": "my-implementation", "version": "0.1.0", "language": "Rust"},
                "ops": OPERATIONS.map(|(name, _)| name),
            }),
            _ => answered(&ask),
        };
        println!("{answer}");
        stdout().flush().expect("the runner reads");
    }
}
