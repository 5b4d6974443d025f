import { Box, Container, Spinner } from '@chakra-ui/react'
import { useEffect, useRef } from 'react'
import { useDispatch, useSelector } from 'react-redux'
import { api } from '@/shared/api'
import { answered, selectServerAway } from '@/shared/api/connection'
import { isServerUp } from '@/shared/api/serverHealth'

const ASK_AGAIN_MS = 3000

// ServerBanner tells above a page that the server went away, and brings the page's data when it is back. What the page
// holds, such as a half-filled form, stays.
export function ServerBanner() {
  const away = useSelector(selectServerAway)
  const dispatch = useDispatch()
  const asking = useRef(false)

  useEffect(() => {
    if (!away) return
    const ask = async () => {
      if (asking.current) return
      asking.current = true
      const up = await isServerUp()
      asking.current = false
      if (!up) return
      dispatch(answered())
      dispatch(api.util.invalidateTags(['Map', 'Player', 'Record', 'Stats', 'Tags']))
    }
    const timer = setInterval(ask, ASK_AGAIN_MS)
    addEventListener('online', ask)
    return () => {
      clearInterval(timer)
      removeEventListener('online', ask)
    }
  }, [away, dispatch])

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
