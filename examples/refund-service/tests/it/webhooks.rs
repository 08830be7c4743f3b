//! What a sender of webhooks sees.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Reply, send};
use crate::database;
use crate::service::{Service, one_refund, refund, webhook};

const REPLAYED: &str = "idempotent-replayed";

#[test]
fn the_same_webhook_twice_is_one_refund_and_a_replay() {
    for database in database::each() {
        let service = Service::start(&database);
        let first = service.refund(&webhook());
        assert_eq!(
            (first.status, first.header(REPLAYED)),
            (201, None),
            "{first:?}"
        );
        assert_eq!(
            first.json(),
            json!({ "refund_id": "r_1", "amount": 1250, "attempt": 1 })
        );

        // Edited in between, and in another order: the same request.
        let mut again = json!({ "reason": "damaged" });
        for (name, value) in webhook().as_object().expect("an object") {
            again[name] = value.clone();
        }
        let second = service.refund(&again);
        assert_eq!(
            (second.status, second.header(REPLAYED)),
            (201, Some("true")),
            "{second:?}"
        );
        assert_eq!(second.body, first.body);
        assert_eq!(service.booked("acme-token"), one_refund());
    }
}

#[test]
fn a_replay_outlives_the_process() {
    for database in database::each() {
        let service = Service::start(&database);
        let first = service.refund(&webhook());
        service.kill();
        let service = Service::start(&database);
        let second = service.refund(&webhook());
        assert_eq!(
            (second.status, second.header(REPLAYED)),
            (201, Some("true"))
        );
        assert_eq!(second.body, first.body);
        assert_eq!(service.booked("acme-token"), one_refund());
    }
}

#[test]
fn another_amount_under_the_same_refund_is_422_and_changes_nothing() {
    for database in database::each() {
        let service = Service::start(&database);
        service.refund(&webhook());
        let mut other = webhook();
        other["amount"] = json!(9900);
        let refused = service.refund(&other);
        assert_eq!(
            (refused.status, refused.header("retry-after")),
            (422, None),
            "{refused:?}"
        );
        let problem = refused.json();
        assert_eq!(problem["fields"], json!(["amount"]));
        assert!(
            problem["type"]
                .as_str()
                .is_some_and(|uri| uri.ends_with("/mismatch"))
        );
        assert!(!refused.body.contains("9900"), "{refused:?}");
        assert_eq!(service.booked("acme-token"), one_refund());
    }
}

#[test]
fn a_webhook_that_comes_while_its_first_is_at_work_is_409_at_once() {
    for database in database::each() {
        let mut service = Service::pausing(&database, 6_000);
        let address = service.address.clone();
        let first = thread::spawn(move || refund(&address, &webhook()));
        service.half_way();
        let asked = Instant::now();
        let busy = service.refund(&webhook());
        // The first one stands still for longer than this.
        assert!(
            asked.elapsed() < Duration::from_secs(3),
            "{:?}",
            asked.elapsed()
        );
        assert_eq!(busy.status, 409, "{busy:?}");
        let seconds = busy
            .header("retry-after")
            .and_then(|text| text.parse::<u32>().ok());
        assert!(seconds.is_some_and(|seconds| seconds >= 1), "{busy:?}");
        assert!(
            busy.json()["type"]
                .as_str()
                .is_some_and(|uri| uri.ends_with("/busy"))
        );

        let first = first.join().expect("the first sender").expect("an answer");
        assert_eq!(
            (first.status, first.header(REPLAYED)),
            (201, None),
            "{first:?}"
        );
        let third = service.refund(&webhook());
        assert_eq!((third.status, third.header(REPLAYED)), (201, Some("true")));
        assert_eq!(service.booked("acme-token"), one_refund());
    }
}

#[test]
fn killed_in_mid_work_and_sent_again_is_one_refund() {
    for database in database::each() {
        let mut service = Service::pausing(&database, 60_000);
        let address = service.address.clone();
        let first = thread::spawn(move || refund(&address, &webhook()));
        service.half_way();
        service.kill();
        let lost = first.join().expect("the first sender");
        assert!(lost.is_err(), "a dead service answered: {lost:?}");

        let service = Service::start(&database);
        assert_eq!(
            service.booked("acme-token"),
            json!([]),
            "half a refund was left"
        );
        let second = until_answered(&service);
        assert_eq!(
            (second.status, second.header(REPLAYED)),
            (201, None),
            "{second:?}"
        );
        assert_eq!(service.booked("acme-token"), one_refund());
        let third = service.refund(&webhook());
        assert_eq!((third.status, third.header(REPLAYED)), (201, Some("true")));
        assert_eq!(
            (third.body, service.booked("acme-token")),
            (second.body, one_refund())
        );
    }
}

/// A server notices by itself, and a moment later, that the process behind a connection is dead;
/// until then the key is busy. This does what a sender does: it comes again.
fn until_answered(service: &Service) -> Reply {
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        let reply = service.refund(&webhook());
        if reply.status != 409 || Instant::now() > until {
            return reply;
        }
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn two_tenants_with_one_refund_id_have_one_refund_each() {
    for database in database::each() {
        let service = Service::start(&database);
        let ours = service.refund(&webhook());
        // A tenant in the body is not believed.
        let mut theirs = webhook();
        theirs["tenant_id"] = json!("acme");
        let body = theirs.to_string();
        let address = &service.address;
        let theirs = send(
            address,
            "POST",
            "/webhooks/refunds",
            Some("globex-token"),
            &body,
        );
        let theirs = theirs.expect("an answer");
        assert_eq!(
            (ours.status, theirs.status, theirs.header(REPLAYED)),
            (201, 201, None)
        );
        for token in ["acme-token", "globex-token"] {
            assert_eq!(service.booked(token), one_refund());
        }
    }
}

#[test]
fn a_refusal_for_good_is_replayed_too() {
    for database in database::each() {
        let service = Service::start(&database);
        let mut nothing = webhook();
        nothing["amount"] = json!(0);
        let first = service.refund(&nothing);
        let second = service.refund(&nothing);
        assert_eq!(
            (first.status, first.header(REPLAYED)),
            (422, None),
            "{first:?}"
        );
        assert_eq!(
            (second.status, second.header(REPLAYED)),
            (422, Some("true"))
        );
        assert_eq!(first.body, second.body);
        assert_eq!(service.booked("acme-token"), json!([]));
    }
}

#[test]
fn what_does_not_identify_a_refund_is_the_senders_mistake() {
    for database in database::each() {
        let service = Service::start(&database);
        let blank = service.refund(
            &json!({ "refund_id": " ", "order_id": "o_1", "amount": 1, "currency": "EUR" }),
        );
        assert_eq!(blank.status, 400, "{blank:?}");
        assert!(
            blank.json()["detail"]
                .as_str()
                .is_some_and(|why| why.contains("part 2 is blank")),
            "{blank:?}"
        );
        let unknown = service.refund(
            &json!({ "refund_id": "r_1", "order_id": "o_1", "amount": 1, "currency": "XXX" }),
        );
        assert_eq!(unknown.status, 400, "{unknown:?}");
        for token in [None, Some("nobody")] {
            let body = webhook().to_string();
            let stranger = send(&service.address, "POST", "/webhooks/refunds", token, &body);
            assert_eq!(stranger.expect("an answer").status, 401);
        }
        assert_eq!(service.booked("acme-token"), json!([]));
    }
}

#[test]
fn an_address_of_neither_database_is_said_and_nothing_starts() {
    let ended = std::process::Command::new(env!("CARGO_BIN_EXE_refund-service"))
        .env("DATABASE_URL", "mysql://localhost/refunds")
        .output()
        .expect("the service's binary");
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(
        !ended.status.success() && said.contains("mysql://localhost/refunds"),
        "{said}"
    );
    assert_eq!(Value::from(ended.stdout), json!([]));
}
