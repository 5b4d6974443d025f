/** The part of a map that its drawing shows at first, in the map's coordinates. */
export interface Frame {
  x: number
  y: number
  width: number
  height: number
}

export interface Drawing {
  svg: SVGSVGElement
  frame: Frame
}

const ELEMENTS = new Set(['svg', 'title', 'defs', 'pattern', 'rect', 'circle', 'path', 'text'])
const ATTRIBUTES = new Set(
  [
    'xmlns viewBox role id class d x y width height cx cy r transform patternUnits patternTransform',
    'fill fill-opacity stroke stroke-width stroke-opacity stroke-dasharray paint-order',
    'font-family font-size font-weight text-anchor',
  ].flatMap((names) => names.split(' ')),
)

/**
 * Parses a map's drawing for this document. The server writes no script and no address into drawings; here anything
 * but the elements and attributes of a drawing is an error, too.
 */
export function parseDrawing(text: string): Drawing {
  const svg = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement
  for (const element of [svg, ...svg.querySelectorAll('*')]) {
    if (element.namespaceURI !== 'http://www.w3.org/2000/svg' || !ELEMENTS.has(element.tagName)) {
      throw new Error(`A drawing has no element ${element.tagName}.`)
    }
    for (const { name, value } of element.attributes) {
      if (!ATTRIBUTES.has(name) || /url\((?!#map-)/i.test(value)) {
        throw new Error(`A drawing has no attribute ${name}="${value}".`)
      }
    }
  }
  const [x = NaN, y = NaN, width = NaN, height = NaN] = (svg.getAttribute('viewBox') ?? '').split(' ').map(Number)
  if (!(svg instanceof SVGSVGElement) || ![x, y, width, height].every(Number.isFinite) || width <= 0 || height <= 0) {
    throw new Error('A drawing has no valid viewBox.')
  }
  return { svg: document.importNode(svg, true), frame: { x, y, width, height } }
}
