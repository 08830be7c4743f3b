//! What the macros write, read as a person reads it.

use idem_codegen::{Contracts, ExpandError, expand_file};

/// The expansion of every item in `source`, as `idem expand` prints it.
fn expansion(source: &str) -> String {
    let contracts = Contracts::in_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests"));
    expand_file(source, None, &contracts).expect("the source has something to expand")
}

macro_rules! shapes {
    ($($name:ident: $source:expr;)*) => {$(
        #[test]
        fn $name() {
            insta::assert_snapshot!(stringify!($name), expansion($source));
        }
    )*};
}

shapes! {
    free_function: r#"
        /// Books a refund.
        #[idempotent(contract = "refund-order", key = (event.tenant_id, event.refund_id))]
        #[tracing::instrument(skip_all, fields(refund = %event.refund_id))]
        #[must_use]
        pub async fn refund(tx: &mut idem::sqlite::Tx<'_>, event: &Refund) -> Result<Receipt, RefundError> {
            book(tx, event).await
        }
    "#;
    method: r#"
        impl<C: Rates> Desk<C> {
            #[idempotent(contract = "refund-order", key = (self.tenant_id, event.refund_id), payload = event)]
            #[cfg(feature = "refunds")]
            #[expect(clippy::unused_self, reason = "the trait asks for it")]
            pub(crate) async fn refund(&self, tx: &mut Tx<'_>, event: &Refund) -> Result<Receipt, RefundError> {
                self.book(tx, event).await
            }
        }
    "#;
    associated_function: r#"
        impl Desk {
            #[idempotent(contract = "refund-order", key = (event.tenant_id, event.refund_id))]
            async fn refund(tx: &mut Tx<'_>, event: &Refund) -> Result<Receipt, RefundError> {
                Self::book(tx, event).await
            }
        }
    "#;
    trait_method: r#"
        impl Handles for Desk {
            /// Books a refund.
            #[idempotent(contract = "refund-order", key = (event.tenant_id, event.refund_id))]
            async fn refund(&self, tx: &mut Tx<'_>, mut event: Refund, rates: impl Rates) -> Result<Receipt, RefundError> {
                self.book(tx, &mut event, rates).await
            }
        }
    "#;
    generics: r#"
        #[idempotent(workflow = "publish", key = (event.id), lease = "30s", window = "7d", max_attempts = 3)]
        pub async fn publish<'e, T, const N: usize>(
            tx: &mut Tx<'_>,
            event: &'e Envelope<T, N>,
            clock: &(impl Clock + Sync),
        ) -> Result<Published<T>, Infallible>
        where
            T: Serialize + DeserializeOwned + Sync,
        {
            send(tx, event, clock).await
        }
    "#;
    extractor_pattern: r#"
        #[idempotent(contract = "refund-order", key = (tenant_id, plan(id)), payload = order)]
        async fn refund(
            tx: &mut Tx<'_>,
            Extension(tenant_id): Extension<TenantId>,
            Path(id): Path<Uuid>,
            Json(mut order): Json<Order>,
        ) -> Result<Receipt, RefundError> {
            order.close();
            book(tx, order).await
        }
    "#;
    by_value: r#"
        #[idempotent(workflow = "subscribe", key = (user.id, plan_of(plan)), hash = (plan), lease = "1m30s", window = "forever", max_attempts = 5)]
        async fn subscribe(tx: &mut Tx<'_>, mut user: User, plan: Plan, _trace: &Trace) -> Result<(), E> {
            user.plan = plan;
            save(tx, user).await
        }
    "#;
    key_omitted: r#"
        #[idempotent(contract = "refund-order")]
        async fn refund(tx: &mut Tx<'_>, event: &Refund) -> Answer {
            book(tx, event).await
        }
    "#;
    contract_less: r#"
        #[idempotent(workflow = "archive", key = (tenant, event.id), lease = "30s", window = "30d", max_attempts = 5, mode = "leased", version = 3, response_version = 2, crate = facade::idem)]
        async fn archive(tx: &mut Tx<'_>, tenant: u64, event: &Event) -> Result<u32, Infallible> {
            Ok(tenant as u32)
        }
    "#;
    leased: r#"
        #[idempotent(contract = "settle-invoice", key = (event.tenant_id, event.refund_id))]
        async fn settle(tx: &mut Tx<'_>, event: &Invoice) -> Result<(), SettleError> {
            post(tx, event).await
        }
    "#;
    operation: r#"
        #[idempotent(contract = "refund-paid-order", key = (event.tenant_id, event.refund_id))]
        async fn refund(op: &mut idem::postgres::Operation<'_>, event: &Refund, desk: &Desk) -> Result<Receipt, RefundError> {
            let refund = op.step("provider-refund", |key| desk.refund(key, event)).await?;
            op.remote("warehouse-call", || desk.call(event)).await?;
            op.irreversible("receipt-mail", || desk.mail(event)).await?;
            book(op.tx(), &refund).await
        }
    "#;
    operation_in_a_trait: r#"
        impl Handles for Desk {
            #[idempotent(contract = "refund-paid-order", key = (event.tenant_id, event.refund_id))]
            async fn refund(&self, op: &mut idem::Operation<'_, Tx<'_>>, event: &Refund) -> Result<Receipt, RefundError> {
                let refund = op.step("provider-refund", |key| self.refund(key, event)).await?;
                op.remote("warehouse-call", || self.call(event)).await?;
                op.irreversible("receipt-mail", || self.mail(event)).await?;
                self.book(op.tx(), &refund).await
            }
        }
    "#;
    computed_parts: r#"
        #[idempotent(
            workflow = "invite",
            key = (sha256(event.email), idem::key::lower(event.domain.as_str()), uuid_v5(NAMESPACE, event.link), action(&event), "invite", trust(a + b, reason = "both are assigned by the directory")),
            hash = "none", lease = "30s", window = "30d", max_attempts = 5,
        )]
        async fn invite(tx: &mut Tx<'_>, event: Arc<Invite>, a: u64, b: u64) -> Result<(), Infallible> {
            Ok(())
        }
    "#;
    refused_parts: r#"
        #[idempotent(contract = "refund-order", key = (event.tenant_id, event.refund_id, Utc::now().minute(), event.items[0].id))]
        async fn refund(tx: &mut Tx<'_>, event: &Refund) -> Result<Receipt, RefundError> {
            book(tx, event).await
        }
    "#;
    derived_key_parts: r#"
        #[derive(Clone, KeyPart)]
        struct OrderRef<S> { shop: S, number: u64 }

        #[derive(idem::KeyPart)]
        struct Tenant(String);

        #[derive(KeyPart)]
        #[serde(rename_all = "kebab-case")]
        enum Action { PartlyPaid, #[serde(rename = "void")] Cancelled }
    "#;
    derived_failure: r#"
        #[derive(Debug, idem::Failure)]
        enum RefundError {
            #[failure(final)]
            NotPaid,
            #[failure(final)]
            Declined { code: u16, text: String },
            #[failure(no_effect)]
            Busy(Duration),
            #[failure(unknown)]
            Lost,
            #[failure(transparent)]
            Store(sqlx::Error),
        }
    "#;
    derived_event: r#"
        #[derive(serde::Deserialize, idem::Event)]
        #[event(contract = "refund-order")]
        struct Refund {
            tenant_id: String,
            refund_id: Uuid,
            order_id: String,
            amount: Decimal,
            customer: Customer,
            reason: Option<String>,
        }
    "#;
}

#[test]
fn one_function_of_several_can_be_asked_for() {
    let contracts = Contracts::in_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests"));
    let source = r#"
        #[idempotent(contract = "refund-order")]
        async fn refund(tx: &mut Tx<'_>, event: &Refund) -> Result<Receipt, E> { Ok(a) }
        mod inner {
            #[idempotent(contract = "refund-order")]
            async fn rebook(tx: &mut Tx<'_>, event: &Refund) -> Result<Receipt, E> { Ok(b) }
        }
    "#;
    let one = expand_file(source, Some("rebook"), &contracts).expect("it is there");
    assert!(one.contains("async fn rebook") && !one.contains("async fn refund"));

    let error = expand_file(source, Some("rebok"), &contracts).expect_err("it is not there");
    assert_eq!(
        error.to_string(),
        "no function of that name carries `#[idempotent]`; did you mean `rebook`?"
    );
    let error = expand_file("fn main() {}", None, &contracts).expect_err("nothing is there");
    assert_eq!(error, ExpandError::Nothing);
    let error = expand_file("fn main() {\n  let = 1;\n}", None, &contracts).expect_err("not Rust");
    assert!(
        matches!(
            error,
            ExpandError::Syntax {
                line: 2,
                column: 7,
                ..
            }
        ),
        "{error}"
    );
}
