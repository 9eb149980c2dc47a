import { AUDIT_ACTIONS } from '#product/audit/audit-actions.ts';
import { Button } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Field } from '#ui/field.tsx';
import { Input, inputClass } from '#ui/input.tsx';
import type { AuditFilters } from './audit-filters.ts';

/** Narrows the log; a plain form, so that all of it is in the address and works without script. */
export function AuditFilterForm({
  path,
  filters,
  actors,
}: {
  path: string;
  filters: AuditFilters;
  actors: readonly { userId: string; name: string }[];
}) {
  const isNarrowed = Object.values(filters).some((value) => value !== null);
  return (
    <form action={path} method="get" className="flex flex-wrap items-end gap-3">
      <Field id="actor" label="Who" className="min-w-40 flex-1">
        <select id="actor" name="actor" defaultValue={filters.actor ?? ''} className={`${inputClass} h-9`}>
          <option value="">Everybody</option>
          {actors.map(({ userId, name }) => (
            <option key={userId} value={userId}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <Field id="action" label="What" className="min-w-40 flex-1">
        <select id="action" name="action" defaultValue={filters.action ?? ''} className={`${inputClass} h-9`}>
          <option value="">Everything</option>
          {Object.keys(AUDIT_ACTIONS).map((action) => (
            <option key={action} value={action}>
              {action}
            </option>
          ))}
        </select>
      </Field>
      <Field id="from" label="From day (UTC)">
        <Input id="from" name="from" type="date" defaultValue={filters.from ?? ''} className="w-40" />
      </Field>
      <Field id="to" label="To day (UTC)">
        <Input id="to" name="to" type="date" defaultValue={filters.to ?? ''} className="w-40" />
      </Field>
      <Button type="submit" className="h-9">
        Show
      </Button>
      {isNarrowed ? (
        <ButtonLink href={path} variant="ghost" className="h-9">
          Clear
        </ButtonLink>
      ) : null}
    </form>
  );
}
