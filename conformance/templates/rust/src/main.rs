// The harness of our implementation: it reads one JSON object a line, and writes one answer a line. The two
// operations below are complete. Replace them by calls of your library, then add the next to OPERATIONS.
use serde_json::{json, Value};
use std::io::{stdin, stdout, BufRead, Write};
use std::panic::catch_unwind;

/// Takes the input and what is given, and returns a value, or the code of a rejection.
type Operation = fn(&Value, &Value) -> Result<Value, &'static str>;
const OPERATIONS: [(&str, Operation); 2] = [("capabilities.next_hop", next_hop), ("render.agent_chain", chain_text)];

/// A chain of agents that answer each other: hop, number of hops, and whether the agent is the last.
fn chain(input: &Value) -> Result<Option<(u64, u64, bool)>, &'static str> {
    let chain = &input["chain"];
    let members = (chain["hop"].as_u64(), chain["max_hops"].as_u64(), chain["is_final"].as_bool());
    match members {
        (Some(hop), Some(max_hops), Some(is_final)) => Ok(Some((hop, max_hops, is_final))),
        _ if chain.is_null() => Ok(None),
        _ => Err("malformed"),
    }
}

/// The chain as the next agent has it, or null where there is none.
fn next_hop(input: &Value, _given: &Value) -> Result<Value, &'static str> {
    Ok(match chain(input)? {
        Some((hop, max_hops, false)) if hop < max_hops => {
            json!({"hop": hop + 1, "max_hops": max_hops, "is_final": hop + 1 == max_hops})
        }
        _ => Value::Null,
    })
}

/// What a model reads about the chain.
fn chain_text(input: &Value, _given: &Value) -> Result<Value, &'static str> {
    let Some((hop, max_hops, is_final)) = chain(input)? else { return Ok(Value::Null) };
    if is_final {
        let end = "Synthesize a conclusion — do not invite another agent.";
        return Ok(json!(format!("You are responding as the FINAL hop ({hop} of {max_hops}). {end}")));
    }
    let left = max_hops.saturating_sub(hop);
    let hops = if left == 1 { "hop" } else { "hops" };
    let place = format!("hop {hop} of a chain capped at {max_hops} hops");
    Ok(json!(format!("You are responding as {place}. [{left} {hops} remaining.]")))
}

/// What an operation makes of a case: a value, a rejection, or a fault of this program.
fn answered(ask: &Value) -> Value {
    let operation = OPERATIONS.iter().find(|(name, _)| ask["op"] == *name);
    match catch_unwind(|| operation.expect("an operation that was declared").1(&ask["input"], &ask["given"])) {
        Ok(Ok(value)) => json!({"seq": ask["seq"], "value": value}),
        Ok(Err(code)) => json!({"seq": ask["seq"], "rejected": {"code": code}}),
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
