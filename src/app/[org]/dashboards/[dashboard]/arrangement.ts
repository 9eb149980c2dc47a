import { GRID_COLUMNS, WIDGET_HEIGHT_MAX } from '#domain/dashboards/widget-choices.ts';

/** A widget's place is that in its list. */
export type WidgetSize = { id: string; title: string; width: number; height: number };

/** The list with one widget so many places further on, or before; at the ends it stays there. */
export function moved(sizes: readonly WidgetSize[], id: string, by: number): readonly WidgetSize[] {
  const from = sizes.findIndex((each) => each.id === id);
  const widget = sizes[from];
  if (!widget) return sizes;
  const rest = sizes.filter((each) => each !== widget);
  return rest.toSpliced(Math.max(0, Math.min(rest.length, from + by)), 0, widget);
}

/** The list with one widget wider or narrower, higher or lower, within the grid. */
export const resized = (
  sizes: readonly WidgetSize[],
  id: string,
  by: { x: number; y: number },
): readonly WidgetSize[] =>
  sizes.map((each) =>
    each.id === id
      ? {
          ...each,
          width: Math.max(1, Math.min(GRID_COLUMNS, each.width + by.x)),
          height: Math.max(1, Math.min(WIDGET_HEIGHT_MAX, each.height + by.y)),
        }
      : each,
  );
