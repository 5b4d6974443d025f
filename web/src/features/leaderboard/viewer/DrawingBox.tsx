import { styled } from '@/ui'

/** Holds a drawing; data-hidden lists the classes of the marks that are hidden. */
export const DrawingBox = styled('div', {
  base: {
    flex: '1',
    minH: '0',
    overflow: 'hidden',
    rounded: 'l2',
    cursor: 'grab',
    touchAction: 'none',
    userSelect: 'none',
    _active: { cursor: 'grabbing' },
    _focusVisible: { outline: '2px solid', outlineColor: 'brand.focusRing', outlineOffset: '2px' },
    '& > svg': { w: 'full', h: 'full', display: 'block' },
    '&[data-hidden~=spawn] .spawn, &[data-hidden~=finish] .finish': { display: 'none' },
    '&[data-hidden~=zone] .zone': { display: 'none' },
    '&[data-hidden~=deadly] .deadly, &[data-hidden~=no-grapple] .no-grapple': { display: 'none' },
  },
})
