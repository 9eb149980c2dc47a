import { visibleText } from '#lib/visible-text.ts';
import { listAlertReceivers } from '#product/alerts/list-alert-rules.ts';
import type { Context } from '#product/context.ts';

/** Who can own a monitor, as the options of a choice; `gone` is an owner who left the organization. */
export async function ownerOptions(
  ctx: Context,
  owner: { kind: 'user' | 'team'; id: string; name: string } | null,
): Promise<readonly { value: string; label: string }[]> {
  const { users, teams } = await listAlertReceivers(ctx);
  const known = [
    ...teams.map(({ id, slug }) => ({ value: `team:${id}`, label: `#${slug}` })),
    ...users.map(({ id, name }) => ({ value: `user:${id}`, label: visibleText(name) })),
  ];
  const value = owner && `${owner.kind}:${owner.id}`;
  const isKnown = value === null || known.some((each) => each.value === value);
  return [
    { value: '', label: 'None' },
    ...(isKnown || !owner ? [] : [{ value: value!, label: visibleText(owner.name) }]),
    ...known,
  ];
}
