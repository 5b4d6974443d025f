import { t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { useCallback } from 'react'
import { slogan } from '@/locales'
import { Container, Sky, sceneColor, styled } from '@/ui'

/** The banner of every page: element with the head that a page draws in it (InHero), or a strip. */
export function Hero({ element }: { element: Element }) {
  useLingui()
  const hold = useCallback((section: Element | null) => section?.prepend(element), [element])
  return (
    <styled.section ref={hold} flexShrink="0" aria-label={t`Banner`}>
      <Strip />
    </styled.section>
  )
}

/** The scene of home on 64 pixels. */
function Strip() {
  return (
    <Sky overflow="hidden" css={{ 'div:not(:empty) + &': { display: 'none' } }}>
      <Container display="flex" alignItems="center" justifyContent="space-between" h="16">
        <styled.p fontFamily="heading" fontWeight="bold" fontSize={{ base: 'md', sm: 'xl' }} lineHeight="1.2">
          {slogan()}
        </styled.p>
        <svg viewBox="0 0 196 64" height="64" overflow="visible" aria-hidden="true">
          <circle cx="30" cy="42" r="17" fill={sceneColor('sun')} />
          <path d="M-40 64L14 38l16 7 16-10 20 13 44 16z" fill={sceneColor('middle')} />
          <path d="M70 50h26M118 36h20M160 52h36" stroke={sceneColor('near')} strokeWidth="5" strokeLinecap="round" />
          <path
            d="M82 45q8-26 36-25"
            fill="none"
            stroke={sceneColor('ink')}
            strokeWidth="2"
            strokeDasharray="0.1 6"
            strokeLinecap="round"
          />
          <circle cx="126" cy="19" r="7" fill={sceneColor('ball')} />
          <path d="M178 50V26" stroke={sceneColor('ink')} strokeWidth="2" />
          <path d="M179 26h14l-4 5 4 5h-14z" fill={sceneColor('flag')} />
        </svg>
      </Container>
    </Sky>
  )
}
