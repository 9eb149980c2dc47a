import type { AuditAction } from '#product/audit/audit-actions.ts';
import type { Asker, Joined, MatrixScene } from './scene.ts';

type Call = (ctx: Joined, scene: MatrixScene) => Promise<unknown>;

/** What a verb of the product needs and leaves. */
export type VerbRow = {
  kind: 'reads' | 'works' | 'settings';
  /** The lowest role that may; `instance_owner` is an owner who set the instance up. */
  needs: Asker;
  /** What it leaves in the audit log; null for what is no setting. */
  leaves: AuditAction | null;
  call: Call;
};

export const reads = (needs: Asker, call: Call): VerbRow => ({ kind: 'reads', needs, leaves: null, call });

/** Daily work on issues, or what somebody keeps for themselves: activities tell of it, not the audit log. */
export const works = (needs: Asker, call: Call): VerbRow => ({ kind: 'works', needs, leaves: null, call });

export const settings = (needs: Asker, leaves: AuditAction, call: Call): VerbRow => ({
  kind: 'settings',
  needs,
  leaves,
  call,
});
