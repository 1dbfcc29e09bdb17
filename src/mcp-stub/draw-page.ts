import { type Colour, encodePng } from './png.js';
import { type PageStyle, toColour } from './style.js';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly radius: number;
  readonly colour: Colour;
}

const MARGIN = 20;
const BUTTON = { width: 96, height: 34 };
const GAP = 16;

/** Draws the card on its page: a bar for the heading, a box for the button. Does not draw text. */
export function drawPage(style: PageStyle, width: number, height: number): Buffer {
  const inside = MARGIN + style.cardPadding;
  const bar = { x: inside, radius: 0 };
  // Top layer first: the first box that contains a point decides its color.
  const boxes: readonly Box[] = [
    {
      ...bar,
      ...BUTTON,
      y: inside + style.headingSize + GAP,
      colour: toColour(style.buttonBackground),
    },
    {
      ...bar,
      y: inside,
      width: style.cardWidth * 0.6,
      height: style.headingSize,
      colour: toColour(style.headingColour),
    },
    {
      x: MARGIN,
      y: MARGIN,
      width: style.cardWidth + 2 * style.cardPadding,
      height: style.headingSize + GAP + BUTTON.height + 2 * style.cardPadding,
      radius: style.cardRadius,
      colour: toColour(style.cardBackground),
    },
  ];
  const background = toColour(style.background);
  return encodePng(width, height, (x, y) => boxes.find((box) => holds(box, x, y))?.colour ?? background);
}

/** Whether a point is in a box; near a corner, whether it is in the circle that rounds it. */
function holds({ x, y, width, height, radius }: Box, px: number, py: number): boolean {
  const [dx, dy] = [px + 0.5 - x, py + 0.5 - y];
  if (dx < 0 || dy < 0 || dx > width || dy > height) return false;
  const outX = Math.max(radius - dx, dx - (width - radius), 0);
  const outY = Math.max(radius - dy, dy - (height - radius), 0);
  return Math.hypot(outX, outY) <= radius || outX === 0 || outY === 0;
}
