//! The gate phase of a batch: every call is judged before any runs.

use super::batch::{Denier, Fate, Settled};
use super::effect::Progress;
use super::emit::{self, Asked};
use super::parts::{Ruling, Stamps, Verdict};
use super::turn::{Step, Turn, skill_name};
use super::{ASK_USER, Call};
use turnwire::loopengine::GateVerdict;

/// Why `ask_user` needs no rule.
const SYSTEM_TOOL: &str = "system tool — always allowed";

impl Turn {
    /// Judges the calls from `call` on; what needs no ruling is settled on the way.
    pub(super) fn gate_from(&mut self, call: usize, stamps: &dyn Stamps, to: &mut Progress) {
        let mut next = call;
        while self.is_ask_user(next) {
            self.allow(next, SYSTEM_TOOL, to);
            next += 1;
        }
        if next < self.batch.len() {
            self.step = Step::Gating { call: next };
        } else if self.batch.iter().any(|entry| entry.is_denied()) {
            self.stop_denied(to);
        } else {
            self.run_from(0, stamps, to);
        }
    }

    pub(super) fn judged(
        &mut self,
        call: usize,
        ruling: Ruling,
        stamps: &dyn Stamps,
        to: &mut Progress,
    ) {
        let is_denied_before = self.batch.iter().any(|entry| entry.is_denied());
        match ruling.verdict {
            Verdict::Allow => self.allow(call, &ruling.reason, to),
            Verdict::Deny => self.deny(call, ruling.reason, Denier::Rules, to),
            // The batch will not run: nobody is asked for a decision that changes nothing.
            Verdict::Ask if is_denied_before => self.set_fate(call, Fate::Unasked),
            Verdict::Ask => return self.ask(call, ruling.reason, stamps, to),
        }
        self.gate_from(call + 1, stamps, to);
    }

    pub(super) fn decided(&mut self, call: usize, reason: &str, approved: bool, to: &mut Progress) {
        if approved {
            self.allow(call, &format!("{reason} — human approved"), to);
        } else {
            let reason = format!("{reason} — human denied");
            self.deny(call, reason, Denier::Human, to);
        }
    }

    pub(super) fn expired(&mut self, call: usize, reason: &str, to: &mut Progress) {
        let reason = format!("{reason} — nobody decided in time");
        self.deny(call, reason, Denier::Time, to);
    }

    /// A skill is no call that acts: no decision, no start and no result are told.
    pub(super) fn skill_loaded(
        &mut self,
        call: usize,
        text: Option<String>,
        stamps: &dyn Stamps,
        to: &mut Progress,
    ) {
        let Some(asked) = self.call(call) else { return };
        let name = skill_name(&asked).to_owned();
        let Some(content) = text else {
            return self.fail(&format!("unknown skill '{name}'"), to);
        };
        to.emit(emit::skill_loaded(&name));
        let settled = Settled { content, is_error: false, reason: None };
        self.set_fate(call, Fate::Settled(settled));
        self.gate_from(call + 1, stamps, to);
    }

    /// What a pending item of this id is made of beside its call.
    pub(super) fn asked<'a>(&'a self, id: &'a str, stamps: &dyn Stamps) -> Asked<'a> {
        let expires_at = self.limits.decision_time.map(|time| stamps.after(time));
        Asked { id, at: stamps.now(), expires_at, session: &self.session }
    }

    pub(super) fn call(&self, call: usize) -> Option<Call> {
        self.batch.get(call).map(|entry| entry.call.clone())
    }

    pub(super) fn set_fate(&mut self, call: usize, fate: Fate) {
        if let Some(entry) = self.batch.get_mut(call) {
            entry.fate = fate;
        }
    }

    fn is_ask_user(&self, call: usize) -> bool {
        self.batch.get(call).is_some_and(|entry| entry.call.tool == ASK_USER)
    }

    fn allow(&mut self, call: usize, reason: &str, to: &mut Progress) {
        let Some(allowed) = self.call(call) else { return };
        to.emit(emit::decision(&allowed, GateVerdict::Allow, reason));
        to.emit(emit::tool_started(&allowed, reason));
        let reason = reason.to_owned();
        self.set_fate(call, Fate::Allowed { reason });
    }

    fn deny(&mut self, call: usize, reason: String, by: Denier, to: &mut Progress) {
        let Some(denied) = self.call(call) else { return };
        to.emit(emit::decision(&denied, GateVerdict::Deny, &reason));
        to.emit(emit::tool_result(&denied, &reason, "Denied."));
        self.set_fate(call, Fate::Denied { reason, by });
    }

    fn ask(&mut self, call: usize, reason: String, stamps: &dyn Stamps, to: &mut Progress) {
        let Some(asked) = self.call(call) else { return };
        let id = stamps.id();
        let item = self.asked(&id, stamps);
        to.emit(emit::approval_pending(&asked, &reason, item));
        self.step = Step::Approval { call, id, reason };
    }
}
