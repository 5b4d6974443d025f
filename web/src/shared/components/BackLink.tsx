import styles from './BackLink.module.css'
import { ArrowLeftIcon } from './icons'
import { TextLink } from './TextLink'

export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <TextLink to={to} className={styles.back}>
      <ArrowLeftIcon size={4} /> {children}
    </TextLink>
  )
}
