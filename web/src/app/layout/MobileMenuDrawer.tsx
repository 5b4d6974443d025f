import { CloseButton, Drawer, Portal } from '@chakra-ui/react'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { Box, Text } from '@/ui'
import { WithChakra } from '@/ui/WithChakra'
import { SectionItems, SubmitItems } from './NavigationItems'
import { SiteSearch } from './SiteSearch'

// From this width on the navigation is a bar.
const WIDE = '(width >= 48rem)'

/** The site's search and navigation on narrow screens. It opens when it is mounted, and closes with the page that opened it. */
export default function MobileMenuDrawer({ onClose }: { onClose: () => void }) {
  const { key } = useLocation()
  const openedOn = useRef(key)
  const navigation = useRef<HTMLElement>(null)
  const [open, setOpen] = useState(true)
  useEffect(() => {
    if (key !== openedOn.current) setOpen(false)
  }, [key])
  useEffect(() => {
    const wide = matchMedia(WIDE)
    const close = () => setOpen(false)
    wide.addEventListener('change', close)
    return () => wide.removeEventListener('change', close)
  }, [])
  // After a navigation the page has the focus, otherwise the button that opened the menu.
  const finalFocus = () =>
    key === openedOn.current
      ? document.querySelector<HTMLElement>('[aria-label="Open menu"]')
      : document.getElementById('main')
  return (
    <WithChakra>
      <Drawer.Root
        open={open}
        placement="start"
        size="xs"
        onOpenChange={(details) => setOpen(details.open)}
        // The search field would open a phone's keyboard.
        initialFocusEl={() => navigation.current?.querySelector('a') ?? null}
        finalFocusEl={finalFocus}
        onExitComplete={onClose}
      >
        <Portal>
          <Drawer.Backdrop />
          <Drawer.Positioner>
            <Drawer.Content>
              <Drawer.Header>
                <Drawer.Title>Menu</Drawer.Title>
              </Drawer.Header>
              <Drawer.Body>
                <Box mb="4">
                  <SiteSearch />
                </Box>
                <nav aria-label="Site" ref={navigation}>
                  <ul>
                    <SectionItems />
                  </ul>
                  <Text px="3" mt="4" mb="1" textStyle="xs" fontWeight="bold" color="fg.muted">
                    Submit
                  </Text>
                  <SubmitItems />
                </nav>
              </Drawer.Body>
              <Drawer.CloseTrigger asChild>
                <CloseButton size="sm" aria-label="Close menu" />
              </Drawer.CloseTrigger>
            </Drawer.Content>
          </Drawer.Positioner>
        </Portal>
      </Drawer.Root>
    </WithChakra>
  )
}
