'use client';

import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '#ui/badge.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { TwoFactorControls } from './two-factor-controls.tsx';
import { TwoFactorSetUp } from './two-factor-set-up.tsx';

/** Off: how to set it up. On: how many recovery codes are left, new ones, and switching it off. */
export function TwoFactor({
  recoveryCodesLeft,
  asksPassword,
}: {
  /** null while it is off. */
  recoveryCodesLeft: number | null;
  asksPassword: boolean;
}) {
  // Held here from the beginning: the set-up is gone from the page as soon as it is on.
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (recoveryCodesLeft === null) return <TwoFactorSetUp asksPassword={asksPassword} onMade={setCodes} />;
  if (codes) return <RecoveryCodes codes={codes} onSaved={() => setCodes(null)} />;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Badge tone="success" icon={<ShieldCheck aria-hidden />}>
          On
        </Badge>
        <p className="text-sm text-text-muted">
          A code of your app is asked after the password.{' '}
          {recoveryCodesLeft === 1 ? '1 recovery code is' : `${recoveryCodesLeft} recovery codes are`} left.
        </p>
      </div>
      <TwoFactorControls asksPassword={asksPassword} onRenewed={setCodes} />
    </div>
  );
}
