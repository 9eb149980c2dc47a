'use client';

import { Badge } from '#ui/badge.tsx';
import { Checkbox } from '#ui/checkbox.tsx';

/** One thing that is scrubbed or not. `inherited`: the organization demands it whatever is chosen here. */
export function PrivacySwitch({
  id,
  name,
  help,
  isOn,
  inherited,
  onChange,
}: {
  id: string;
  name: string;
  help: string;
  isOn: boolean;
  inherited: boolean;
  onChange: (isOn: boolean) => void;
}) {
  return (
    <div className="flex items-start gap-3 border-b px-4 py-3 last:border-b-0">
      <Checkbox
        id={id}
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
        aria-describedby={`${id}-help`}
        className="mt-0.5"
      />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <label htmlFor={id} className="font-medium text-sm">
            {name}
          </label>
          {inherited ? <Badge tone="info">on for the whole organization</Badge> : null}
        </div>
        <p id={`${id}-help`} className="max-w-[75ch] text-text-muted text-xs">
          {help}
        </p>
      </div>
    </div>
  );
}
