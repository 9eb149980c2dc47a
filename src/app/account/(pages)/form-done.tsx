import { Notice } from '#ui/notice.tsx';

/** What a form has done; nothing before. */
export function FormDone({ text }: { text: string | null }) {
  return text === null ? null : (
    <div className="w-full">
      <Notice tone="success">{text}</Notice>
    </div>
  );
}
