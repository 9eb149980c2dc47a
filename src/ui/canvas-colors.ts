/** The canvas knows no variables: each is read as the color that the page makes of it, such as `rgb(1, 2, 3)`. */
export function canvasColors(canvas: HTMLCanvasElement): (variable: string) => string {
  const styles = getComputedStyle(canvas);
  // Where motion is reduced, every change is a short transition, at whose beginning the color is still the one before.
  canvas.style.setProperty('transition', 'none', 'important');
  return (variable) => {
    canvas.style.color = variable;
    return styles.color;
  };
}
