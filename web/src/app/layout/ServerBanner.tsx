import { Trans } from '@lingui/react/macro'
import { api, TAG_TYPES } from '@/api'
import { answered, selectServerAway, useServerBack } from '@/api/connection'
import { useAppDispatch, useAppSelector } from '@/store/hooks'
import { Box, Container, Spinner } from '@/ui'

/**
 * Reports above a page that the server is away, and reloads the page's data when it is back. What the page holds, such
 * as a form, stays.
 */
export function ServerBanner() {
  const away = useAppSelector(selectServerAway)
  const dispatch = useAppDispatch()
  useServerBack(away, () => {
    dispatch(answered())
    dispatch(api.util.invalidateTags([...TAG_TYPES]))
  })
  return (
    <div role="status">
      {away && (
        <Box py="2.5" borderBottomWidth="1px" bg="bg.warning" textStyle="sm">
          <Container display="flex" alignItems="center" gap="3">
            <Spinner size="sm" aria-hidden="true" />
            <Trans>The server can't be reached right now. This page continues by itself when it is back.</Trans>
          </Container>
        </Box>
      )}
    </div>
  )
}
