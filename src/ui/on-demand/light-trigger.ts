import type { FocusEvent, KeyboardEvent, MouseEvent, PointerEvent, ReactElement } from 'react';
import { cloneElement } from 'react';

type TriggerProps = {
  onClick?: (event: MouseEvent<HTMLElement>) => void;
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
  onPointerEnter?: (event: PointerEvent<HTMLElement>) => void;
  onFocus?: (event: FocusEvent<HTMLElement>) => void;
  'aria-haspopup'?: 'menu' | 'listbox' | 'dialog';
  'aria-expanded'?: boolean;
};

/**
 * The button that opens something whose code is not there yet. The code is fetched when somebody points at the button
 * or focuses it. `onOpen` tells whether the keyboard asked.
 */
export function lightTrigger(
  trigger: ReactElement,
  {
    popup,
    opensWithArrows,
    onNear,
    onOpen,
  }: {
    popup: 'menu' | 'listbox' | 'dialog';
    opensWithArrows: boolean;
    onNear: () => void;
    onOpen: (isByKeyboard: boolean) => void;
  },
): ReactElement {
  const own = trigger.props as TriggerProps;
  return cloneElement(trigger as ReactElement<TriggerProps>, {
    'aria-haspopup': popup,
    'aria-expanded': false,
    onPointerEnter: (event) => {
      own.onPointerEnter?.(event);
      onNear();
    },
    onFocus: (event) => {
      own.onFocus?.(event);
      onNear();
    },
    onClick: (event) => {
      own.onClick?.(event);
      // A click by the keyboard has no presses that could be counted.
      if (!event.defaultPrevented) onOpen(event.detail === 0);
    },
    onKeyDown: (event) => {
      own.onKeyDown?.(event);
      if (!opensWithArrows || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
      event.preventDefault();
      onOpen(true);
    },
  });
}
