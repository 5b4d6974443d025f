import { Badge } from '@/shared/components/Badge'
import { TrophyIcon } from '@/shared/components/icons'
import text from '@/shared/theme/text.module.css'
import styles from './Achievements.module.css'

export function Achievements() {
  return (
    <section className={styles.line}>
      <TrophyIcon className={styles.trophy} />
      <h2 className={text.heading}>Achievements</h2>
      <Badge>Coming Soon</Badge>
    </section>
  )
}
