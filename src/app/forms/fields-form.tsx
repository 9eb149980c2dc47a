'use client';

import { type ReactNode, useId } from 'react';
import { Checkbox, CheckboxField } from '#ui/checkbox.tsx';
import { cx } from '#ui/cx.ts';
import { Field, fieldIds, TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { Select } from '#ui/select.tsx';
import { SubmitButton } from '#ui/submit-button.tsx';
import type { FieldSpec, Fields, FormValues, TypedValues } from './fields.ts';
import { FormFrame, type SaveForm, useForm } from './form-frame.tsx';
import { type FormState, UNSENT } from './submit-form.ts';

const COLUMNS = { 1: '', 2: 'grid sm:grid-cols-2', 3: 'grid sm:grid-cols-2 lg:grid-cols-3' } as const;

/** How a form is saved. */
type Save<Result> = {
  action: SaveForm<Result>;
  label: string;
  /** Stands beside the button once it was saved. */
  doneTitle: string;
};

type FieldsFormProps = {
  fields: Fields;
  /** What is stored; left out in a form for something new. */
  values?: FormValues<Fields>;
  columns?: keyof typeof COLUMNS;
  /** Stands below the fields. */
  note?: ReactNode;
};

/** A form made of the declaration of its fields. Once saved, the fields show what is stored; those of a new thing are empty. */
export function FieldsForm<Result>({
  save,
  ...props
}: FieldsFormProps & {
  /** null for people who may only read it: a browser then gets no way to save it. */
  save: Save<Result> | null;
}) {
  if (save) return <EditableForm save={save} {...props} />;
  return (
    <fieldset disabled className="flex min-w-0 flex-col gap-4">
      <FieldGrid {...props} state={UNSENT} canChange={false} />
    </fieldset>
  );
}

function EditableForm<Result>({ save, ...props }: FieldsFormProps & { save: Save<Result> }) {
  const form = useForm(save.action);
  return (
    <FormFrame form={form} submitLabel={save.label} savedTitle={save.doneTitle} className="gap-4">
      <FieldGrid {...props} state={form.state} />
    </FormFrame>
  );
}

function FieldGrid({
  columns = 1,
  note,
  ...inputs
}: FieldsFormProps & { state: FormState<unknown>; canChange?: boolean }) {
  return (
    <>
      <div className={cx('flex flex-col gap-x-6 gap-y-4', COLUMNS[columns])}>
        <FieldInputs {...inputs} />
      </div>
      {note ? <p className="max-w-[75ch] text-text-muted text-xs">{note}</p> : null}
    </>
  );
}

/** Few fields and a button in one line: what is made of them appears elsewhere on the page. */
export function LineForm<Result>({
  fields,
  values,
  action,
  submitLabel,
  pendingLabel,
  savedTitle = null,
  children,
}: {
  fields: Fields;
  /** What is chosen at first. */
  values?: FormValues<Fields>;
  action: SaveForm<Result>;
  submitLabel: string;
  pendingLabel: string;
  savedTitle?: string | null;
  /** What stands below, made of what the action answered. */
  children?: (result: NoInfer<Result>) => ReactNode;
}) {
  const { state, formProps } = useForm(action, savedTitle);
  return (
    <form {...formProps} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start gap-3">
        <FieldInputs fields={fields} values={values} state={state} className="min-w-0 flex-1 basis-60" />
        <SubmitButton pendingLabel={pendingLabel} className="h-9 sm:mt-[26px]">
          {submitLabel}
        </SubmitButton>
      </div>
      {state.error ? <Notice tone="danger">{state.error}</Notice> : null}
      {state.result === null || !children ? null : children(state.result)}
    </form>
  );
}

/** The inputs of declared fields, inside a form of their page. */
export function FieldInputs({
  fields,
  values = {},
  state,
  canChange = true,
  onChoose,
  className,
}: {
  fields: Fields;
  values?: FormValues<Fields>;
  state: FormState<unknown>;
  canChange?: boolean;
  /** Another option of a choice. */
  onChoose?: (name: string, value: string) => void;
  /** Of each. */
  className?: string;
}) {
  const id = useId();
  return Object.entries(fields).map(([name, field]) => {
    const stored = values[name] ?? null;
    return (
      <FieldInput
        // A new input for a new value: what is stored is shown once it was saved.
        key={`${name} ${state.savedAt} ${stored}`}
        id={`${id}-${name}`}
        name={name}
        field={field}
        stored={stored}
        typed={state.typed[name]}
        error={state.errors[name] ?? null}
        canChange={canChange}
        onChoose={onChoose && ((value) => onChoose(name, value))}
        className={className}
      />
    );
  });
}

function FieldInput({
  id,
  name,
  field,
  stored,
  typed,
  error,
  canChange,
  onChoose,
  className,
}: {
  id: string;
  name: string;
  field: FieldSpec;
  stored: FormValues<Fields>[string];
  typed: TypedValues[string] | undefined;
  error: string | null;
  canChange: boolean;
  onChoose?: ((value: string) => void) | undefined;
  className?: string | undefined;
}) {
  if (field.kind === 'switch') {
    return (
      <CheckboxField
        id={id}
        name={name}
        label={field.label}
        help={field.help ?? ''}
        defaultChecked={typed === undefined ? stored === true : typed !== ''}
        className="col-span-full"
      />
    );
  }
  if (field.kind === 'choices') {
    const chosen = [typed ?? stored ?? []].flat();
    return (
      <fieldset className="w-full min-w-0">
        <legend className="mb-1.5 font-medium text-sm">{field.label}</legend>
        <div className="grid max-h-60 gap-x-5 gap-y-2 overflow-y-auto p-0.5 sm:grid-cols-2">
          {(field.options ?? []).map(({ value, label }) => (
            <span key={value} className="flex min-w-0 items-center gap-2 text-sm">
              <Checkbox
                id={`${id}-${value}`}
                name={name}
                value={value}
                defaultChecked={chosen.includes(value)}
              />
              <label htmlFor={`${id}-${value}`} title={label} className="truncate">
                <bdi>{label}</bdi>
              </label>
            </span>
          ))}
        </div>
      </fieldset>
    );
  }
  const value = String(typed ?? stored ?? '');
  if (field.kind === 'choice') {
    return (
      <Field id={id} label={field.label} hint={field.help} error={error} className={className}>
        <Select
          id={id}
          name={name}
          look="field"
          options={field.options ?? []}
          defaultValue={value}
          onValueChange={onChoose}
          disabled={!canChange}
        />
      </Field>
    );
  }
  const input = {
    id,
    name,
    placeholder: field.placeholder,
    defaultValue: value,
    maxLength: field.max,
    required: !field.isOptional && canChange,
    spellCheck: field.kind === 'slug' || field.kind === 'secret' ? false : undefined,
  };
  if (field.kind === 'lines') {
    const ids = fieldIds(id);
    return (
      <Field id={id} label={field.label} hint={field.help} error={error} className={className}>
        <textarea
          {...input}
          rows={5}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${ids.error} ${ids.hint}` : ids.hint}
          className="mono w-full rounded-md border border-border-control bg-surface-raised px-3 py-2 text-sm"
        />
      </Field>
    );
  }
  return (
    <TextField
      {...input}
      {...TYPES[field.kind]}
      label={field.kind === 'number' && field.unit ? `${field.label}, ${field.unit}` : field.label}
      hint={field.help}
      error={error}
      className={cx(field.kind === 'slug' && '[&_input]:mono', className)}
    />
  );
}

const TYPES = {
  text: { autoComplete: 'off' },
  slug: { autoComplete: 'off' },
  email: { type: 'email', autoComplete: 'off' },
  // No password of a person: nothing to fill in, and nothing to keep.
  secret: { type: 'password', autoComplete: 'new-password' },
  number: { inputMode: 'numeric', autoComplete: 'off' },
} as const;
