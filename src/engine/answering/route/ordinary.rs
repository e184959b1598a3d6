//! Ordinary words: verbs, nouns and adjectives that sentences about any program have. Libraries use many of them as
//! names too (`run`, `get`, `field`), so such a word in a sentence names a symbol only if it is written as a name.

/// The words in lower case and in the singular, sorted.
const WORDS: &str = "
abort accept access account action active actual additional address adjust admin agent algorithm alias allow
alternative amount analysis analyze animation annotation answer any app append application apply area arg argument
array ask aspect assert assign attach attempt attribute author automatic available avoid back backend background bad
bar base basic batch be become before begin behavior behaviour bind binding bit block body bool boolean both bound
boundary box branch break bring broken browser bucket buffer bulk button byte calculate calculation call can cancel
capability capture card case cast catch category cause cell chain change channel char character chart chat check child
choice choose chunk claim clean cleanup clear click clock clone close cluster code color column combine come command
comment commit common compare comparison compile complete complex compute computed condition conditional config
configuration configure confirm connection consider console constant constraint construct consume contain container
content context continue control convention cookie core correct correctly cost count counter cover crawl criteria
current currently cursor custom cut cycle daemon dashboard date day dead deal decide declare decode deep default
define definition delay demo depend dependency deploy depth describe description design desktop detach detail detect
determine dev develop developer device dict dictionary diff difference different digit dimension direct direction
directory dirty disable disconnect disk display distance distinct divide doc docs document documentation domain done
down download draft draw driver drop duplicate duration dynamic each early easy edge edit editor effect element else
embed emit empty enable encode encoding end engine ensure enter entire entry env environment equal escape evaluate
evaluation even every evict exact exactly exclude execute execution executor exist existing exit expand expect
expected expire explicit export expose expression extend extension external extra extract fail fall false family fast
feature feed few file filename fill filter final finally find finish first fit fix flag flat float flow flush folder
follow following font footer force foreign format frame framework free frequency fresh from full func game general
generate global go good graph greater green group grow guard guess guide handle hang happen hash head header heading
health height hide hierarchy high history hit hold home host hot html http icon id identifier identity if ignore image
immediately immutable impact implementation import in include incoming incorrect increase increment index indicator
infer info information inherit init initial initialize inject inline inner input inside inspect install instance
instruction int integer integration interact internal intersection interval into introduce invalid invocation invoke
is item iterate job join json just keep kernel key keyword kind know label lambda language large last late latest
launch layer lazy leak leave left legacy length less level library lifecycle light like limit line link linter list
listen listener literal little live load local locale locate location lock log logger logging logic login logout long
lookup loop lost low lower machine mail main maintain manage management manager manual many map mapper mapping mark
markdown mask master match material max maximum mean measure media member memory mention message meta metadata metric
middle min minimum minor miss missing mode modify moment money month more most mount mouse multi multiple mutate
mutation name named namespace native navigate need negative nested network never next no node none normal normalize
not note notification notify now null nullable number numeric object observe observer occur off offset old on once one
only open operate operation operator option optional or order origin original other out outer output outside over
overflow overlap override overwrite own owner pack package padding page pair panel parallel param parameter parent
parser part partial partition pass password patch path pattern pause pay payload pending percent perform performance
permission person phase phone pick picture piece pin ping pipe pipeline pixel place placeholder plain plan platform
play point pointer policy poll pool pop popup port position possible post power precision prefer prefix prepare
present preserve press prevent preview previous price primary primitive print priority private proceed process
processor produce product production profile program progress project prompt proper properly property protect protocol
prototype prove provide proxy public publish pull purge purpose push put qualified question queue quick quiet quit
quote raise random range rank rate ratio raw reach react reader real reason receive recent recover recursive red
redirect reduce reference reflect refresh register registry regular reject relate related relation relationship
release relevant reload remain remember remote render repeat reply report represent request require required reset
resize resolve resource respond response rest restart restore restrict result resume retry return reuse reverse revert
review rewrite right role roll root rotate round route routing row rule run runner running runtime safe same sample
scale scan schedule scheduler scope score script scroll search second secret section secure security segment select
selection selector self sequence serialize series serve session setting setup several shape share shared shell shift
short shortcut should shutdown side sign signal signature silent similar simple simplify single site size skip sleep
slice slot slow small smart snapshot socket soft software solution solve something sort source space span spawn
special specific specify speed split stack stage stale standard start startup state statement static statistic status
stay step still stop storage store strategy strict string strip strong struct sub subclass submit subscribe
subscription subset success such suffix suggest sum summary support suppose suppress sure suspend swap switch sync
synchronous syntax system tab tag tail take target task team temp template temporary term terminal terminate text than
throttle throw tick ticket time timeout timer timestamp tip title to today toggle token tool toolbar tooling top topic
total trace track traffic transaction transfer transform transition translate transport traverse tree trigger trim
true truncate trust try tuple turn tutorial two typed undefined under undo unexpected unicode uniform union unique
unit universal unknown unless unlock unnecessary unsafe until unused up upgrade upper upstream uri url usage user
username usual util utility uuid valid validation validator value var variable variant various vector vendor verbose
verify version very via video virtual visible visit void volume wait walk warn wasm watch way web website week weight
well while white whole wide width wildcard window wire with without word worker workflow workspace world worse wrap
wrapper wrong xml yaml year yes yield zero zip zone
";

/// True for an ordinary word, in lower case and in the singular.
pub(super) fn is_ordinary(word: &str) -> bool {
    WORDS.split_ascii_whitespace().any(|ordinary| ordinary == word)
}

#[cfg(test)]
mod tests {
    use super::WORDS;

    #[test]
    fn words_are_sorted_and_lower_case() {
        let words: Vec<&str> = WORDS.split_ascii_whitespace().collect();
        let unsorted: Vec<_> = words.windows(2).filter(|pair| pair[0] >= pair[1]).collect();
        assert!(unsorted.is_empty(), "{unsorted:?}");
        assert!(words.iter().all(|word| word.chars().all(|c| c.is_ascii_lowercase())));
    }
}
