import { t } from '@lingui/core/macro'
import { useRef } from 'react'
import { Box, Drawer, IconButton, Text } from '@/ui'
import { CloseIcon, MenuIcon } from '@/ui/icons'
import { useKeys } from '@/ui/keys'
import { useOpenOnPage } from '@/ui/useOpenOnPage'
import { SectionItems, SubmitItems } from './NavigationItems'
import { SiteSearch } from './SiteSearch'

/**
 * The site's search and navigation on narrow screens, in a drawer that closes with the page that opened it. The slash key
 * opens it at the search.
 */
export function MobileMenu() {
  const menu = useOpenOnPage()
  const search = useRef<HTMLDivElement>(null)
  const navigation = useRef<HTMLElement>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  const bySlash = useRef(false)
  useKeys({
    '/': () => {
      trigger.current?.click()
      bySlash.current = true
    },
  })
  return (
    <Drawer.Root
      {...menu}
      placement="start"
      size="xs"
      // The search field would open a phone's keyboard. It keeps a focus that the visitor moved there a frame before.
      initialFocusEl={() =>
        search.current?.querySelector<HTMLElement>(bySlash.current ? 'input' : ':focus') ??
        navigation.current?.querySelector('a') ??
        null
      }
    >
      <Drawer.Trigger asChild>
        <IconButton
          ref={trigger}
          variant="ghost"
          ms="-2"
          aria-label={t`Open menu`}
          onClick={() => {
            bySlash.current = false
          }}
        >
          <MenuIcon />
        </IconButton>
      </Drawer.Trigger>
      <Drawer.Content>
        <Drawer.Header>
          <Drawer.Title>{t`Menu`}</Drawer.Title>
        </Drawer.Header>
        <Drawer.Body>
          <Box mb="4" ref={search}>
            <SiteSearch />
          </Box>
          <nav aria-label={t`Site`} ref={navigation}>
            <ul>
              <SectionItems />
            </ul>
            <Text px="3" mt="4" mb="1" textStyle="xs" fontWeight="bold" color="fg.muted">{t`Submit`}</Text>
            <SubmitItems />
          </nav>
        </Drawer.Body>
        <Drawer.CloseTrigger asChild>
          <IconButton size="sm" variant="ghost" aria-label={t`Close menu`}>
            <CloseIcon />
          </IconButton>
        </Drawer.CloseTrigger>
      </Drawer.Content>
    </Drawer.Root>
  )
}
