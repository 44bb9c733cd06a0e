//! Streams a turn, approves what it asks for, prints the answer. Shown in the README.

use turnwire::chat::Verdict;
use turnwire::client::{LoopClient, PendingDecision, RequestOptions, ReqwestTransport, run_turn};

#[tokio::main]
async fn main() -> turnwire::Result<()> {
    let server = std::env::args().nth(1).unwrap_or("http://127.0.0.1:8787".into());
    let client = LoopClient::new(ReqwestTransport::new(), &server)?;
    let message = "order A-1001 arrived broken, can you refund it?";
    let options = RequestOptions::default();

    let turn = run_turn(&client, "customer-service", message, &options, async |item| match item {
        PendingDecision::Approval(call) => {
            println!("{} {:?}: {}", call.tool, call.args["orderId"], call.reason);
            Verdict::Approve
        }
        PendingDecision::Question(_) => Verdict::Answer { text: "A-1001".into() },
    });
    println!("{}", turn.await?.text);
    Ok(())
}
