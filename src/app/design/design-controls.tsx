'use client';

import { Archive, Check, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, type ButtonSize, type ButtonVariant } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Field, Input, Textarea, TextField } from '#ui/field.tsx';
import { Kbd } from '#ui/kbd.tsx';
import {
  Menu,
  MenuCheckboxItem,
  MenuItem,
  MenuLink,
  MenuRadioGroup,
  MenuSeparator,
  MenuText,
} from '#ui/menu.tsx';
import { ReloadButton } from '#ui/reload-button.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { Select } from '#ui/select.tsx';
import { TabLinks } from '#ui/tabs.tsx';
import { showToast } from '#ui/toast.tsx';
import { Tooltip } from '#ui/tooltip.tsx';

const VARIANTS: readonly ButtonVariant[] = ['primary', 'secondary', 'ghost', 'danger'];
const SIZES: readonly ButtonSize[] = ['sm', 'md', 'lg'];
const SORTS = [
  { value: 'date', label: 'Last seen' },
  { value: 'new', label: 'First seen', hint: 'The newest kinds of errors' },
  { value: 'freq', label: 'Events' },
] as const;
type Sort = (typeof SORTS)[number]['value'];

/** What people press, type into and choose from. */
export function DesignControls() {
  const [sort, setSort] = useState<Sort>('date');
  const [isChecked, setIsChecked] = useState(true);
  return (
    <Card title="Controls">
      <div className="flex flex-col gap-5">
        {VARIANTS.map((variant) => (
          <div key={variant} className="flex flex-wrap items-center gap-2">
            {SIZES.map((size) => (
              <Button key={size} variant={variant} size={size}>
                <Check aria-hidden className="size-3.5" />
                {variant} {size}
              </Button>
            ))}
            <Button variant={variant} disabled>
              Disabled
            </Button>
            <Button variant={variant} iconOnly aria-label={`Edit, ${variant}`}>
              <Pencil aria-hidden className="size-4" />
            </Button>
          </div>
        ))}
        <div className="flex flex-wrap items-center gap-2">
          <ButtonLink href="/">A link</ButtonLink>
          <ReloadButton />
          <CopyButton text="copied" label="Copy text" />
          <CopyButton text="copied" label="Copy text">
            Copy
          </CopyButton>
          <Tooltip content="A hint for a labeled control">
            <Button>Hover me</Button>
          </Tooltip>
          <Kbd>?</Kbd>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Menu trigger={<Button>Menu</Button>}>
            <MenuText>A line of text</MenuText>
            <MenuItem icon={<Archive aria-hidden />} hint={<Kbd>a</Kbd>} onSelect={() => {}}>
              Archive
            </MenuItem>
            <MenuItem onSelect={() => {}} disabled>
              Disabled
            </MenuItem>
            <MenuLink href="/">A link</MenuLink>
            <MenuCheckboxItem checked={isChecked} onCheckedChange={setIsChecked}>
              On or off
            </MenuCheckboxItem>
            <MenuSeparator />
            <MenuRadioGroup label="Sort" value={sort} onValueChange={setSort} options={SORTS} />
            <MenuSeparator />
            <MenuItem icon={<Trash2 aria-hidden />} tone="danger" onSelect={() => {}}>
              Delete
            </MenuItem>
          </Menu>
          <Select label="Sort" prefix="Sort:" options={SORTS} value={sort} onValueChange={setSort} />
          <Segmented label="Sort" value={sort} options={SORTS} onValueChange={setSort} />
          <Dialog
            trigger={<Button>Dialog</Button>}
            title="Delete this project?"
            description="This also deletes its issues and events."
            footer={<Button variant="danger">Delete the project</Button>}
          >
            <TextField label="Type the project name" placeholder="web" />
          </Dialog>
          <Button
            onClick={() =>
              showToast({ title: 'Resolved: WEB-3F', action: { label: 'Undo', onSelect: () => {} } })
            }
          >
            Toast
          </Button>
          <Button onClick={() => showToast({ title: 'Couldn’t reach the server', tone: 'danger' })}>
            Failed toast
          </Button>
        </div>
        <TabLinks
          label="Tabs"
          tabs={[
            { href: '/design', label: 'Unresolved', count: '128', isCurrent: true },
            { href: '/design?tab=2', label: 'Assigned to me', count: '4', isCurrent: false },
          ]}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label="Name" hint="Visible to others" defaultValue="Ana" />
          <TextField label="Email" error="Enter a valid email address" defaultValue="ana" />
          <Field id="design-sort" label="In a form">
            <Select id="design-sort" look="field" name="sort" options={SORTS} defaultValue="new" />
          </Field>
          <Field id="design-text" label="Several lines">
            <Textarea id="design-text" />
          </Field>
          <Input aria-label="Disabled" disabled placeholder="Disabled" />
          <div className="flex items-center gap-3">
            <Checkbox aria-label="Off" />
            <Checkbox aria-label="On" defaultChecked />
            <Checkbox aria-label="Some" indeterminate />
            <Checkbox aria-label="Disabled" disabled />
          </div>
        </div>
      </div>
    </Card>
  );
}
