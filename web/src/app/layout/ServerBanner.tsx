import { Box, Container, Spinner } from '@chakra-ui/react'
import { useDispatch, useSelector } from 'react-redux'
import { api } from '@/shared/api'
import { answered, selectServerAway } from '@/shared/api/connection'
import { useServerBack } from '@/shared/api/useServerBack'

// ServerBanner tells above a page that the server went away, and brings the page's data when it is back. What the page
// holds, such as a half-filled form, stays.
export function ServerBanner() {
  const away = useSelector(selectServerAway)
  const dispatch = useDispatch()
  useServerBack(away, () => {
    dispatch(answered())
    dispatch(api.util.invalidateTags(['Map', 'Player', 'Record', 'Stats', 'Tags']))
  })

  return (
    <div role="status">
      {away && (
        <Box bg="bg.warning" color="fg" borderBottomWidth="1px" py="2.5" textStyle="sm">
          <Container maxW="7xl" display="flex" alignItems="center" gap="3">
            <Spinner size="sm" />
            The server can't be reached right now. This page goes on by itself when it is back.
          </Container>
        </Box>
      )}
    </div>
  )
}
