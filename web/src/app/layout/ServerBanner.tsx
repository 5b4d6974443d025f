import { useDispatch, useSelector } from 'react-redux'
import { api } from '@/shared/api'
import { answered, selectServerAway } from '@/shared/api/connection'
import { useServerBack } from '@/shared/api/useServerBack'
import { Spinner } from '@/shared/components/Spinner'
import styles from './ServerBanner.module.css'

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
        <div className={styles.banner}>
          <p className={styles.words}>
            <Spinner />
            The server can't be reached right now. This page goes on by itself when it is back.
          </p>
        </div>
      )}
    </div>
  )
}
