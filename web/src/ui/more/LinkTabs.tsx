import type { Ref } from 'react'
import { Link } from 'react-router'
import { css } from 'styled-system/css'
import { Flex } from '../basics'

const tab = css({
  px: { base: '1.5', sm: '3' },
  py: '2',
  whiteSpace: 'nowrap',
  rounded: 'l2',
  textStyle: 'sm',
  fontWeight: 'semibold',
  color: 'fg.muted',
  focusVisibleRing: 'outside',
  _hover: { bg: 'bg.muted' },
  _currentPage: { bg: 'bg.emphasized', color: 'fg' },
})

interface Props {
  label: string
  tabs: readonly { to: string; text: string }[]
  /** The address of the tab that is shown. */
  current: string
  /** The page stays where it was scrolled to. */
  preventScrollReset?: boolean
  /** They are a list beside the page, except on narrow screens. */
  beside?: true
}

/** Scrolls a line of tabs that is longer than the screen to the one that is shown. */
function showCurrent(line: HTMLElement | null): void {
  const tab = line?.querySelector<HTMLElement>('[aria-current]')
  if (line && tab) line.scrollLeft = tab.offsetLeft + tab.offsetWidth - line.offsetLeft - line.clientWidth
}

/** Links to pages, or to views of a page, that belong together. */
export function LinkTabs({ label, tabs, current, preventScrollReset = false, beside }: Props) {
  return (
    <Flex
      ref={showCurrent as Ref<HTMLDivElement>}
      as="nav"
      aria-label={label}
      gap={{ base: '0', sm: '1' }}
      wrap={beside ? 'wrap' : { sm: 'wrap' }}
      overflowX="auto"
      direction={beside && { md: 'column' }}
    >
      {tabs.map(({ to, text }) => (
        <Link
          key={to}
          to={to}
          className={tab}
          aria-current={to === current ? 'page' : undefined}
          preventScrollReset={preventScrollReset}
        >
          {text}
        </Link>
      ))}
    </Flex>
  )
}
