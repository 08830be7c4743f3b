//! The statements of a claim with their values, the same for every SQL store.

use crate::claim::{Claim, Row, Status};
use crate::store::{Completion, Remains, Request};
use crate::{Effect, Key, Mode, Window};

/// One database's texts of the statements.
pub(in crate::store) struct Files<T: Copy = &'static str> {
    pub(in crate::store) claim: T,
    pub(in crate::store) renew: T,
    pub(in crate::store) complete: T,
    pub(in crate::store) complete_fused: T,
    pub(in crate::store) fail: T,
    pub(in crate::store) fail_fused: T,
    pub(in crate::store) release: T,
}

/// A statement with the values of its parameters, in order.
pub(in crate::store) struct Statement<'q, T = &'static str> {
    pub(in crate::store) text: T,
    pub(in crate::store) values: Vec<Value<'q>>,
}

/// The value of one parameter.
pub(in crate::store) enum Value<'q> {
    Text(&'q str),
    MaybeText(Option<&'q str>),
    Bytes(&'q [u8]),
    OwnBytes(Vec<u8>),
    MaybeBytes(Option<&'q [u8]>),
    Number(i64),
    MaybeNumber(Option<i64>),
}

impl<'q, T> Statement<'q, T> {
    fn of(text: T, key: &'q Key) -> Self {
        Self {
            text,
            values: vec![Value::Text(key.as_str())],
        }
    }

    /// The key, and what a row says about its request.
    fn described(text: T, request: &'q Request) -> Self {
        let workflow = request.workflow();
        let fingerprint = request.fingerprint();
        Self::of(text, request.key())
            .text(workflow.name())
            .number(i64::from(workflow.version()))
            .and(Value::MaybeBytes(
                // Half of it tells any two texts apart, and is in every row.
                workflow.contract_digest().map(|digest| &digest[..16]),
            ))
            .and(Value::MaybeText(request.tenant_name()))
            .and(Value::Bytes(fingerprint.digest()))
            .number(i64::from(fingerprint.version()))
            .and(Value::OwnBytes(fingerprint.field_digests()))
    }

    /// The same for a claim that follows a row of a previous recipe: the row keeps the hash that it has,
    /// which is no hash of the present recipe.
    pub(in crate::store) fn hashed_as(mut self, row: Option<&Row>) -> Self {
        if let Some(row) = row {
            let hash = [
                Value::OwnBytes(row.request_hash.clone()),
                Value::Number(i64::from(row.hash_recipe)),
                Value::OwnBytes(row.field_digests.clone()),
            ];
            self.values.splice(5..8, hash);
        }
        self
    }

    fn and(mut self, value: Value<'q>) -> Self {
        self.values.push(value);
        self
    }

    fn text(self, text: &'q str) -> Self {
        self.and(Value::Text(text))
    }

    fn number(self, number: i64) -> Self {
        self.and(Value::Number(number))
    }

    fn window(self, request: &Request) -> Self {
        self.and(Value::MaybeNumber(request.workflow().window().millis()))
    }

    /// An effect under a claim; [`Statement::lifetime`] or [`Statement::result`] may follow.
    pub(in crate::store) fn of_effect(
        text: T,
        request: &'q Request,
        claim: &Claim,
        effect: &Effect,
    ) -> Self {
        Self::of(text, request.key())
            .number(claim.fence.to_stored())
            .text(effect.name())
    }

    /// How long the effect's provider remembers a key.
    pub(in crate::store) fn lifetime(self, effect: &Effect) -> Self {
        let millis = effect
            .key_lifetime()
            .map(|lifetime| Window::For(lifetime).millis().unwrap_or(i64::MAX));
        self.and(Value::MaybeNumber(millis))
    }

    pub(in crate::store) fn result(self, result: &'q [u8]) -> Self {
        self.and(Value::Bytes(result))
    }

    /// Fence and status of the row that a fused claim found: its write is conditional on them.
    fn followed(self, claim: &Claim) -> Self {
        let row = claim.followed;
        self.and(Value::MaybeNumber(row.map(|row| row.fence.to_stored())))
            .and(Value::MaybeText(row.map(|row| row.status.as_str())))
    }
}

impl<T: Copy> Files<T> {
    pub(in crate::store) fn claim<'q>(&self, request: &'q Request) -> Statement<'q, T> {
        Statement::described(self.claim, request)
            .number(request.workflow().lease().millis())
            .number(i64::from(request.workflow().attempts()))
    }

    /// The claim of a key that has a row, for a database that cannot say both in one statement.
    #[cfg(feature = "mysql")]
    pub(in crate::store) fn claim_again<'q>(
        &self,
        request: &'q Request,
        claim: &Claim,
    ) -> Statement<'q, T> {
        self.claim(request)
            .number(i64::from(claim.attempt))
            .number(claim.fence.to_stored())
            .followed(claim)
    }

    pub(in crate::store) fn renew<'q>(
        &self,
        request: &'q Request,
        claim: &Claim,
    ) -> Statement<'q, T> {
        Statement::of(self.renew, request.key())
            .number(claim.fence.to_stored())
            .number(request.workflow().lease().millis())
    }

    pub(in crate::store) fn complete<'q>(
        &self,
        request: &'q Request,
        claim: &Claim,
        completion: Completion<'q>,
    ) -> Statement<'q, T> {
        let fused = request.workflow().claim_mode() == Mode::Fused;
        let statement = if fused {
            Statement::described(self.complete_fused, request).number(i64::from(claim.attempt))
        } else {
            Statement::of(self.complete, request.key())
        };
        let statement = statement
            .number(claim.fence.to_stored())
            .text(completion.kind.as_str())
            .and(Value::MaybeBytes(completion.bytes))
            .number(i64::from(completion.version))
            .window(request);
        if fused {
            statement.followed(claim)
        } else {
            statement
        }
    }

    pub(in crate::store) fn fail<'q>(
        &self,
        request: &'q Request,
        claim: &Claim,
        remains: Remains<'q>,
    ) -> Statement<'q, T> {
        let (status, reason) = match remains {
            Remains::Nothing => (Status::Failed, None),
            Remains::Unknown(reason) => (Status::Ambiguous, Some(reason)),
        };
        let fused = request.workflow().claim_mode() == Mode::Fused;
        let statement = if fused {
            Statement::described(self.fail_fused, request).number(i64::from(claim.attempt))
        } else {
            Statement::of(self.fail, request.key())
        };
        let statement = statement
            .number(claim.fence.to_stored())
            .text(status.as_str())
            .and(Value::MaybeText(reason))
            .window(request);
        if fused {
            statement.followed(claim)
        } else {
            statement
        }
    }

    pub(in crate::store) fn release<'q>(
        &self,
        request: &'q Request,
        claim: &Claim,
    ) -> Statement<'q, T> {
        Statement::of(self.release, request.key())
            .number(claim.fence.to_stored())
            .window(request)
    }
}
