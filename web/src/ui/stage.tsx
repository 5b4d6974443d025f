import { type CSSProperties, createContext, use } from 'react'
import { createPortal } from 'react-dom'
import { css } from 'styled-system/css'
import { Container, styled } from 'styled-system/jsx'
import { type Elements, Sky } from './basics'

/** The hero of the layout, where the page draws its head in it. */
export const HeroElement = createContext<Element | null>(null)

/** Draws a part of a page in the hero. */
export function InHero({ children }: { children: Elements }) {
  const hero = use(HeroElement)
  return hero && createPortal(children, hero)
}

const heights = {
  // Room for the ridges below the link back, and on a phone for the button in the picture between them.
  map: css({ minH: { base: '20rem', md: '19rem' }, gap: { base: '6.5rem', md: '3.25rem' } }),
  record: css({ minH: { base: '26rem', md: '24rem', lg: '21rem' }, gap: '3.25rem' }),
  player: css({ minH: { base: '35rem', md: '23rem' } }),
  comparison: css({ minH: { base: '25rem', md: '23rem' } }),
}

/** Says in the sky of a page why it has nothing else to show. */
export const CardInSky = styled('div', {
  // Between the link back and the ridges, in the height that the sky has while the data is loaded.
  base: {
    w: 'full',
    maxW: '2xl',
    mx: 'auto',
    mt: '2',
    mb: '14',
    p: '2',
    rounded: 'l3',
    bg: 'bg.panel',
    '& .empty-state__root': { py: '5' },
  },
})

interface Props {
  /** What it is about, which decides how high it is before its data is known. */
  of: keyof typeof heights
  /** Leads back to a list. */
  back?: Elements
  /** What is behind the ridges. */
  picture?: Elements
  /** The colours of the sky in place of the scene's, as skyOf returns them. */
  sky?: CSSProperties | undefined
  /** What stands in the sky. */
  inSky?: Elements
  /** What stands on the ground. */
  children: Elements
}

/** The head of a page: a sky above two ridges, the nearer of which is the ground of its title and buttons. */
export function Stage({ of, back, picture, sky, inSky, children }: Props) {
  return (
    <InHero>
      <Sky className="sky stage" data-picture={picture !== undefined} data-tinted={sky !== undefined} style={sky}>
        {picture !== undefined && <div className="stage-picture">{picture}</div>}
        <Container display="flex" flexDirection="column" alignItems="flex-start" py="4" className={heights[of]}>
          {back}
          {inSky}
          <div className="stage-ground">{children}</div>
        </Container>
      </Sky>
    </InHero>
  )
}
