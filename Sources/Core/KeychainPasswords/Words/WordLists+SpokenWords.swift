// SPDX-License-Identifier: Apache-2.0

// Written by Tools/generate-word-lists; do not change this file by hand.
// The beginning of the list us_tv_and_film of zxcvbn; NOTICE has its licence.

extension WordLists {
    /// Words of American television and film. The commonest first.
    static let spokenWords = """
        you i to that it me what this know i'm no have my don't just not do be your we it's so but all well oh about
        right you're get here out going like yeah if can up want think that's now go him how got did why see come good
        really look will okay back can't mean tell i'll hey he's could didn't yes something because say take way little
        make need gonna never we're too she's i've sure our sorry what's let thing maybe down man very there's should
        anything said much any even off please doing thank give thought help talk god still wait find nothing again
        things let's doesn't call told great better ever night away believe feel everything you've fine last keep does
        put around stop they're i'd guy isn't always listen wanted guys huh those big lot happened thanks won't trying
        kind wrong talking guess care bad mom remember getting we'll together dad leave understand wouldn't actually
        hear baby nice father else stay done wasn't course might mind every enough try hell came someone you'll whole
        yourself idea ask must coming looking woman room knew tonight real son hope went hmm happy pretty saw girl sir
        friend already saying next job problem minute thinking haven't heard honey matter myself couldn't exactly having
        probably happen we've hurt boy dead gotta alone excuse start kill hard you'd today car ready without wants hold
        wanna yet seen deal once gone morning supposed friends head stuff worry live truth face forget true cause soon
        knows telling wife who's chance run move anyone person bye somebody heart miss making meet anyway phone reason
        damn lost looks bring case turn wish tomorrow kids trust check change anymore least aren't working makes taking
        means brother hate ago says beautiful gave fact crazy sit afraid important rest fun kid word watch glad everyone
        sister minutes everybody bit couple whoa either mrs feeling daughter wow gets asked break promise door close
        hand easy question tried far walk needs mine killed hospital anybody alright wedding shut able die perfect stand
        comes hit waiting dinner funny husband almost pay answer cool eyes news child shouldn't yours moment sleep read
        where's sounds sonny pick sometimes bed date plan hours lose hands serious shit behind inside ahead week
        wonderful fight past cut quite he'll sick it'll eat nobody goes save seems finally lives worried upset carly met
        brought seem sort safe weren't leaving front shot loved asking running clear figure hot felt parents drink
        absolutely how's daddy sweet alive sense meant happens bet blood ain't kidding lie meeting dear seeing sound
        fault ten buy hour speak lady jen thinks christmas outside hang possible worse mistake ooh handle spend totally
        giving here's marriage realize unless sex send needed scared picture talked ass hundred changed completely
        explain certainly sign boys relationship loves hair lying choice anywhere future weird luck she'll turned touch
        kiss crane questions obviously wonder pain calling somewhere throw straight cold fast words food none drive
        feelings they'll marry drop cannot dream protect twenty surprise sweetheart poor looked mad except gun y'know
        dance takes appreciate especially situation besides pull hasn't worth sheridan amazing expect swear piece busy
        happening movie we'd catch perhaps step fall watching kept darling dog honor moving till admit problems murder
        he'd evil definitely feels honest eye broke missed longer dollars tired evening starting entire trip niles
        suppose calm imagine fair caught blame sitting favor apartment terrible clean learn frasier relax accident wake
        prove smart message missing forgot interested table nbsp mouth pregnant ring careful shall dude ride figured
        wear shoot stick follow angry write stopped ran standing forgive jail wearing ladies kinda lunch cristian
        greenlee gotten hoping phoebe thousand ridge paper tough tape count boyfriend proud agree birthday they've share
        offer hurry feet wondering decision ones finish voice herself would've mess deserve evidence cute dress
        interesting hotel enjoy quiet concerned staying beat sweetie mention clothes fell neither mmm fix respect prison
        attention holding calls surprised bar keeping gift hadn't putting dark owe ice helping normal aunt lawyer apart
        plans jax girlfriend floor whether everything's box judge upstairs sake mommy possibly worst acting accept blow
        strange saved conversation plane mama yesterday lied quick lately stuck difference store she'd bought doubt
        listening walking cops deep dangerous buffy sleeping chloe rafe join card crime gentlemen willing window walked
        guilty likes fighting difficult soul joke favorite uncle promised bother seriously cell knowing broken advice
        somehow paid losing push helped killing boss liked innocent rules learned thirty risk letting speaking
        ridiculous afternoon apologize nervous charge patient boat how'd hide detective planning huge breakfast horrible
        awful pleasure driving hanging picked sell quit apparently dying notice congratulations visit could've c'mon
        letter decide forward fool showed smell seemed spell memory pictures slow seconds hungry hearing kitchen ma'am
        should've realized kick grab discuss fifty reading idiot suddenly agent destroy bucks shoes peace arms demon
        livvie consider papers incredible witch drunk attorney tells knock ways gives nose skye turns keeps jealous drug
        sooner cares plenty extra outta weekend matters gosh opportunity impossible waste pretend jump eating proof
        slept arrest breathe perfectly warm pulled twice easier goin dating suit romantic drugs comfortable finds
        checked divorce begin ourselves closer ruin smile laugh treat fear what'd otherwise excited mail hiding stole
        pacey noticed fired excellent bringing bottom note sudden bathroom honestly sing foot remind charges witness
        finding tree dare hardly that'll steal silly contact teach shop plus colonel fresh trial invited roll reach
        dirty choose emergency dropped butt credit obvious locked loving nuts agreed prue goodbye condition guard fuckin
        grow cake mood crap crying belong partner trick pressure dressed taste neck nurse raise lots carry whoever
        drinking they'd breaking file lock wine spot paying assume asleep turning viki bedroom shower nikolas camera
        fill reasons forty bigger nope breath doctors pants freak movies folks cream wild truly desk convince client
        threw hurts spending answers shirt chair rough doin sees ought empty wind aware dealing pack tight hurting guest
        arrested salem confused surgery expecting deacon unfortunately goddamn bottle beyond whenever pool opinion
        starts jerk secrets falling necessary barely dancing tests copy cousin ahem twelve tess skin fifteen speech
        orders complicated nowhere escape biggest restaurant grateful usual burn address someplace screw everywhere
        regret goodness mistakes details responsibility suspect corner hero dumb terrific whoo hole memories o'clock
        teeth ruined bite stenbeck liar showing cards desperate search pathetic spoke scare marah afford settle stayed
        checking hired heads concern blew alcazar champagne connection tickets happiness saving kissing hated personally
        suggest prepared onto downstairs ticket it'd loose holy duty convinced throwing kissed legs loud saturday babies
        where'd warning miracle carrying blind ugly shopping hates sight bride coat clearly celebrate brilliant wanting
        forrester lips custody screwed buying toast thoughts reality lexie attitude advantage grandfather sami grandma
        someday roof marrying powerful grown grandmother fake must've ideas exciting familiar bomb bout harmony schedule
        capable practically correct clue forgotten appointment deserves threat bloody lonely shame jacket hook scary
        investigation invite shooting lesson criminal victim funeral considering burning strength harder sisters pushed
        shock pushing heat chocolate miserable corinthos nightmare brings zander crash chances sending recognize healthy
        boring feed engaged headed treated knife drag badly hire paint pardon behavior closet warn gorgeous milk survive
        ends dump rent remembered thanksgiving rain revenge prefer spare pray disappeared aside statement sometime meat
        fantastic breathing laughing stood affair ours depends protecting jury brave fingers murdered explanation
        picking blah stronger handsome unbelievable anytime shake oakdale wherever pulling facts waited lousy
        circumstances disappointed weak trusted license nothin trash understanding slip sounded awake friendship stomach
        weapon threatened mystery vegas understood basically switch frankly cheap lifetime deny clock garbage why'd tear
        ears indeed changing singing tiny decent avoid messed filled touched disappear exact pills kicked harm fortune
        pretending insurance fancy drove cared belongs nights lorelai lift timing guarantee chest woke burned watched
        heading selfish drinks doll committed elevator freeze noise wasting ceremony uncomfortable staring files bike
        stress permission thrown possibility borrow fabulous doors screaming bone xander what're meal apology anger
        honeymoon bail parking fixed wash stolen sensitive stealing photo chose lets comfort worrying pocket mateo
        bleeding shoulder ignore talent tied garage dies demons dumped witches rude crack bothering radar soft meantime
        gimme kinds fate concentrate throat prom messages intend ashamed somethin manage guilt interrupt guts tongue
        shoe basement sentence purse glasses cabin universe repeat mirror wound travers tall engagement therapy
        emotional jeez decisions soup thrilled stake chef moves extremely moments expensive counting shots kidnapped
        cleaning shift plate impressed smells trapped aidan knocked charming attractive argue puts whip embarrassed
        package hitting bust stairs alarm pure nail nerve incredibly walks dirt stamp terribly friendly damned jobs
        suffering disgusting stopping deliver riding helps disaster bars crossed trap talks eggs chick threatening
        spoken introduce confession embarrassing bags impression gate reputation presents chat suffer argument talkin
        crowd homework coincidence cancel pride solve hopefully pounds pine mate illegal generous outfit maid bath punch
        freaked begging recall enjoying prepare wheel defend signs painful yourselves maris that'd suspicious cooking
        button warned sixty pity yelling awhile confidence offering pleased panic hers gettin refuse grandpa testify
        choices cruel mental gentleman coma cutting proteus guests expert benefit faces jumped toilet sneak halloween
        privacy smoking reminds twins swing solid options commitment crush ambulance wallet gang eleven option laundry
        assure stays skip fail discussion clinic betrayed sticking bored mansion soda sheriff suite handled busted load
        happier studying romance procedure commit assignment suicide minds swim yell llanview chasing proper believes
        humor hopes lawyers giant latest escaped parent tricks insist dropping cheer medication flesh routine sandwich
        handed false beating warrant awfully odds treating thin suggesting fever sweat silent clever sweater mall
        sharing assuming judgment goodnight divorced surely steps confess math listened comin answered vulnerable bless
        dreaming chip zero pissed nate kills tears knees chill brains unusual packed dreamed cure lookin grave cheating
        breaks locker gifts awkward thursday joking reasonable dozen curse quartermaine millions dessert rolling detail
        alien delicious closing vampires wore tail secure salad murderer spit offense dust conscience bread answering
        lame invitation grief smiling pregnancy prisoner delivery guards virus shrink freezing wreck massimo wire
        technically blown anxious cave holidays cleared wishes caring candles bound charm pulse jumping jokes boom
        occasion silence nonsense frightened slipped dimera blowing relationships kidnapping spin tool roxy packing
        blaming wrap obsessed fruit torture personality there'll fairy necessarily seventy print motel underwear grams
        exhausted believing freaking carefully trace touching messing recovery intention consequences belt sacrifice
        courage enjoyed attracted remove testimony intense heal defending unfair relieved loyal slowly buzz alcohol
        surprises psychiatrist plain attic who'd uniform terrified cleaned zach threaten fella enemies satisfied
        imagination hooked headache forgetting counselor andie acted badge naturally frozen sakes appropriate trunk
        dunno costume sixteen impressive kicking junk grabbed understands describe clients owns affect witnesses
        starving instincts happily discussing deserved strangers surveillance admire questioning dragged barn deeply
        wrapped wasted tense hoped fellas roommate mortal fascinating stops arrangements agenda literally propose
        honesty underneath sauce promises lecture eighty torn shocked backup differently ninety deck biological pheebs
        ease creep waitress telephone ripped raising scratch rings prints thee arguing ephram asks oops diner annoying
        taggert sergeant blast towel clown habit creature bermuda snap react paranoid handling eaten therapist comment
        sink reporter nurses beats priority interrupting warehouse loyalty inspector pleasant excuses threats guessing
        tend praying motive unconscious mysterious unhappy tone switched rappaport sookie neighbor loaded swore piss
        balance toss misery thief squeeze lobby goa'uld geez exercise forth booked sandburg poker eighteen d'you bury
        everyday digging creepy wondered liver hmmm magical fits discussed moral helpful searching flew depressed aisle
        cris amen vows neighbors darn cents arrange annulment useless adventure resist fourteen celebrating inch debt
        violent sand teal'c celebration reminded phones paperwork emotions stubborn pound tension stroke steady
        overnight chips beef suits boxes cassadine collect tragedy spoil realm wipe surgeon stretch stepped nephew neat
        limo confident perspective climb punishment finest springfield hint furniture blanket twist proceed fries
        worries niece gloves soap signature disappoint crawl convicted flip counsel doubts crimes accusing shaking
        remembering hallway halfway bothered madam gather cameras blackmail symptoms rope ordinary imagined cigarette
        supportive explosion trauma ouch furious cheat avoiding whew thick oooh boarding approve urgent shhh
        misunderstanding drawer phony interfere catching bargain tragic respond punish penthouse thou rach ohhh insult
        bugs beside begged absolute strictly socks senses sneaking reward polite checks tale physically instructions
        fooled blows tabby bitter adorable y'all tested suggestion jewelry alike jacks distracted shelter lessons
        constable circus audition tune shoulders mask helpless feeding explains sucked robbery objection behave valuable
        shadows courtroom confusing talented smarter mistaken customer bizarre scaring motherfucker alert vecchio
        reverend foolish compliment bastards worker wheelchair protective gentle reverse picnic knee cage wives
        wednesday voices toes stink scares pour cheated slide ruining filling exit cottage upside proves parked diary
        complaining confessed pipe merely massage chop spill prayer betray waiter scam rats fraud brush tables sympathy
        pill filthy seventeen employee bracelet pays fairly deeper arrive tracking spite shed recommend oughta nanny
        menu diet corn roses patch dime devastated subtle bullets beans pile confirm strings parade borrowed toys
        straighten steak premonition planted honored exam convenient traveling laying insisted dish aitoro kindly
        grandson donor temper teenager proven mothers denial backwards tent swell noon happiest drives thinkin spirits
        potion holes fence whatsoever rehearsal overheard lemme hostage bench tryin taxi shove moron impress needle
        intelligent instant disagree stinks rianna recover groom gesture constantly bartender suspects sealed legally
        hears dresses sheet psychic teenage knocking judging accidentally waking rumor manners homeless hollow
        desperately tapes referring item genoa gear majesty cried tons spells instinct quote motorcycle convincing
        fashioned aids accomplished grip bump upsetting needing invisible forgiveness feds compare bothers tooth
        inviting earn compromise cocktail tramp jabot intimate dignity dealt souls informed gods dressing cigarettes
        alistair leak fond corky seduce liquor fingerprints enchantment butters stuffed stavros emotionally transplant
        tips oxygen nicely lunatic drill complain announcement unfortunate slap prayers plug opens oath o'neill mutual
        yacht remembers fried extraordinary bait warton sworn stare safely reunion burst might've dive aboard expose
        buddies trusting booze sweep sore scudder properly parole ditch canceled speaks glow wears thirsty skull ringing
        dorm dining bend unexpected pancakes harsh flattered ahhh troubles fights favourite eats rage undercover spoiled
        sloane shine destroying deliberately conspiracy thoughtful sandwiches plates nails miracles fridge drank
        contrary beloved allergic washed stalking solved sack misses forgiven bent maciver involve dragging cooked
        pointing foul dull beneath heels faking deaf stunt jealousy hopeless fears cuts scenario necklace crashed accuse
        restraining homicide helicopter firing safer auction videotape tore reservations pops appetite wounds vanquish
        ironic fathers excitement anyhow tearing sends rape laughed belly dealer cooperate accomplish wakes spotted
        sorts reservation ashes tastes supposedly loft intentions integrity wished towels suspected investigating
        inappropriate lipstick lawn compassion cafeteria scarf precisely obsession loses lighten infection granddaughter
        explode balcony this'll spying publicity depend cracked conscious ally absurd vicious invented forbid directions
        defendant bare announce screwing salesman robbed leap lakeview insanity reveal possibilities kidnap gown chairs
        wishing setup punished criminals regrets raped quarters lamp dentist anyways anonymous semester risks owes lungs
        explaining delicate tricked eager doomed adoption stab sickness scum floating envelope vault sorel pretended
        potatoes plea photograph payback misunderstood kiddo healing cascade capeside stabbed remarkable brat privilege
        passionate nerves lawsuit kidney disturbed cozy tire shirts oven ordering delay risky monsters honorable
        grounded closest breakdown bald abandon scar collar worthless sucking enormous disturbing disturb distract deals
        conclusions vodka dishes crawling briefcase wiped whistle sits roast rented pigs flirting deposit bottles topic
        riot overreacting logical hostile embarrass casual beacon amusing altar claus survival skirt shave porch ghosts
        favors drops dizzy chili advise strikes rehab photographer peaceful leery heavens fortunately fooling
        expectations cigar weakness ranch practicing examine cranes bribe sail prescription hush fragile forensics
        expense drugged cows bells visitor suitcase sorta scan manticore insecure imagining hardest clerk wrist what'll
        starters silk pump pale nicer haul flies boot thumb there'd how're elders quietly pulls idiots erase denying
        ankle amnesia accepting heartbeat devane confront minus legitimate fixing arrogant tuna supper slightest sins
        sayin recipe pier paternity humiliating genuine snack rational minded guessed weddings tumor humiliated aspirin
        spray picks eyed drowning contacts ritual perfume hiring hating docks creatures visions thanking thankful sock
        nineteen fork throws teenagers stressed slice rolls plead ladder kicks detectives assured tellin shallow
        responsibilities repay howdy girlfriends deadly comforting ceiling verdict insensitive spilled respected messy
        interrupted halliwell blond bleed wardrobe takin murders backs underestimate justify harmless frustrated fold
        enzo communicate bugging arson whack salary rumors obligation liking dearest congratulate vengeance rack puzzle
        fires courtesy caller blamed tops quiz prep curiosity circles barbecue sunnydale spinning psychotic cough
        accusations resent laughs freshman envy drown bartlet asses sofa poster highness dock apologies theirs stat
        stall realizes psych mmmm fools understandable treats succeed stir relaxed makin gratitude faithful accent
        witter wandering locate inevitable gretel deed crushed controlling smelled robe gossip gambling cosmetics
        accidents surprising stiff sincere rushed refrigerator preparing nightmares mijo ignoring hunch fireworks
        drowned brass whispering sophisticated luggage hike explore emotion crashing contacted complications shining
        rolled righteous reconsider goody geek frightening ethics creeps courthouse camping affection smythe haircut
        essay baked apologized vibe respects receipt mami hats destructive adore adopt tracked shorts reminding dough
        creations cabot barrel snuck slight reporters pressing magnificent madame lazy glorious fiancee bits visitation
        sane kindness shoulda rescued mattress lounge lifted importantly glove enterprises disappointment condo beings
        admitting yelled waving spoon screech satisfaction reads nailed worm tick resting marvelous fuss cortlandt
        chased pockets luckily lilith filing conversations consideration consciousness worlds innocence forehead
        aggressive trailer slam quitting inform delighted daylight danced confidential aunts washing tossed spectra
        marrow lined implying hatred grill corpse clues sober offended morgue infected humanity distraction cart wired
        violation promising harassment glue d'angelo cursed brutal warlocks wagon unpleasant proving priorities mustn't
        lease flame disappearance depressing thrill sitter ribs flush earrings deadline corporal collapsed update
        snapped smack melt figuring delusional coulda burnt tender sperm realise pork popped interrogation esteem
        choosing undo pres prayed plague manipulate insulting detention delightful coffeehouse betrayal apologizing
        adjust wrecked wont whipped rides reminder monsieur faint bake distress correctly complaint blocked tortured
        risking pointless handing dumping cups alibi struggling shiny risked mummy mint hose hobby fortunate fleischman
        fitting curtain counseling rode puppet modeling memo irresponsible humiliation hiya freakin felony choke
        blackmailing appreciated tabloid suspicion recovering pledge panicked nursery louder jeans investigator
        homecoming frustrating buys busting buff sleeve irony dope declare autopsy workin torch prick limb hysterical
        goddamnit fetch dimension crowded clip climbing bonding woah trusts negotiate lethal iced fantasies deeds bore
        babysitter questioned outrageous kiriakis insulted grudge driveway deserted definite beep wires suggestions
        searched owed lend drunken demanding costanza conviction bumped weigh touches tempted shout resolve relate
        poisoned meals invitations haunted bogus autograph affects tolerate stepping spontaneous sleeps probation manny
        fist spectacular hostages heroin havin habits encouraging consult burgers boyfriends bailed baggage watches
        troubled torturing teasing sweetest qualities postpone overwhelmed malkovich impulse classy charging amazed
        policeman hypocrite humiliate hideous d'ya costumes bluffing betting bein bedtime alcoholic vegetable tray
        suspicions spreading splendid shrimp shouting pressed nooo grieving gladly fling eliminate cereal aaah
        sonofabitch paralyzed lotta locks guaranteed dummy despise dental briefing bluff batteries whatta sounding
        servants presume handwriting fainted dried allright acknowledge whacked toxic reliable quicker overwhelming
        lining harassing fatal endless dolls convict whatcha unlikely shutting positively overcome goddam essence dose
        diagnosis cured bully ahold yearbook tempting shelf prosecution pouring possessed greedy wonders thorough spine
        rath psychiatric meaningless latte jammed ignored fiance evidently contempt compromised cans weekends urge theft
        suing shipment scissors responding proposition noises matching hormones hail grandchildren gently smashed
        sexually sentimental nicest manipulated intern handcuffs framed errands entertaining crib carriage barge spends
        slipping seated rubbing rely reject recommendation reckon headaches float embrace corners whining sweating
        skipped mountie motives listens cristobel cleaner cheerleader balsom unnecessary stunning scent quartermaines
        pose montega loosen info hottest haunt gracious forgiving errand cakes blames abortion sketch shifts plotting
        perimeter pals mere mattered lonigan interference eyewitness enthusiasm diapers strongest shaken punched portal
        catches backyard terrorists sabotage organs needy cuff civilization woof who'll prank obnoxious mates hereby
        gabby faked cellar whitelighter void strangle sour muffins interfering demonic clearing boutique barrington
        terrace smoked righty quack petey pact knot ketchup disappearing cordy uptight ticking terrifying tease swamp
        secretly rejection reflection realizing rays mentally marone doubted deception congressman cheesy toto stalling
        scoop ribbon immune expects destined bets bathing appreciation accomplice wander shoved sewer scroll retire
        lasts fugitive freezer discount cranky crank clearance bodyguard anxiety accountant whoops volunteered talents
        stinking remotely garlic decency cord beds altogether uniforms tremendous popping outa observe lung hangs feelin
        dudes donation disguise curb bites antique toothbrush realistic predict landlord hourglass hesitate consolation
        babbling tipped stranded smartest repeating puke psst paycheck overreacted macho juvenile grocery freshen
        disposal cuffs caffeine vanished unfinished ripping pinch flattering expenses dinners colleague ciao belthazor
        attorneys woulda whereabouts waitin truce tripped tasted steer poisoning manipulative immature husbands heel
        granddad delivering condoms addict trashed raining pasta needles leaning detector coolest batch appointments
        almighty vegetables spark perfection pains momma mole meow hairs getaway cracking compliments behold verge
        tougher timer tapped taped specialty snooping shoots rendezvous pentagon leverage jeopardize janitor
        grandparents forbidden clueless bidding ungrateful unacceptable tutor serum scuse pajamas mouths lure irrational
        doom cries beautifully arresting approaching traitor sympathetic smug smash rental prostitute premonitions jumps
        inventory darlin committing banging asap worms violated vent traumatic traced sweaty shaft overboard insight
        healed grasp experiencing crappy crab chunk awww stain shack reacted pronounce poured moms marriages jabez
        handful flipped fireplace embarrassment disappears concussion bruises brakes twisting swept summon splitting
        sloppy settling reschedule notch hooray grabbing exquisite disrespect thornhart straw slapped shipped shattered
        ruthless refill payroll numb mourning manly hunk entertain drift dreadful doorstep confirmation chops
        appreciates vague tires stressful stashed stash sensed preoccupied predictable noticing madly gunshot dozens
        dork confuse cleaners charade chalk cappuccino bouquet amulet addiction who've warming unlock satisfy sacrificed
        relaxing lone blocking blend blankets addicted yuck hunger hamburger greeting greet gravy gram dreamt dice
        caution backpack agreeing whale taller supervisor sacrifices phew ounce irrelevant gran felon favorites farther
        fade erased easiest convenience compassionate cane backstage agony adores veins tweek thieves surgical strangely
        stetson recital proposing productive meaningful immunity hassle goddamned frighten dearly cease ambition wage
        unstable salvage richer refusing raging pumping pressuring mortals lowlife intimidated intentionally inspire
        forgave devotion despicable deciding dash comfy breach bark aaaah switching swallowed stove screamed scars
        russians pounding poof pipes pawn legit invest farewell curtains civilized caviar boost token superstition
        supernatural sadness recorder psyched motivated microwave hallelujah fraternity dryer cocoa chewing acceptable
        unbelievably smiled smelling simpler respectable remarks khasinau indication gutter grabs fulfill flashlight
        ellenor blooded blink blessings beware uhhh turf swings slips shovel shocking puff mirrors locking heartless
        fras childish cardiac utterly tuscany ticked stunned statesville sadly purely kiddin jerks hitch flirt fare
        equals dismiss christening casket c'mere breakup biting antibiotics accusation abducted witchcraft thread runnin
        punching paramedics newest murdering masks lawndale initials grampa choking charms careless bushes buns bummed
        shred saves saddle rethink regards precinct persuade meds manipulating llanfair leash hearted guarantees fucks
        disgrace deposition bookstore boil vitals veil trespassing sidewalk sensible punishing overtime optimistic
        obsessing notify mornin jeopardy jaffa injection hilarious desires confide cautious yada where're vindictive
        vial teeny stroll sittin scrub rebuild posters ordeal nuns intimacy inheritance exploded donate distracting
        despair crackers wildwind virtue thoroughly tails spicy sketches sights sheer shaving seize scarecrow refreshing
        prosecute platter napkin misplaced merchandise loony jinx heroic frankenstein ambitious syrup solitary
        resemblance reacting premature lavery flashes cheque awright acquainted wrapping untie salute realised priceless
        partying lightly lifting kasnoff insisting glowing generator explosives cutie confronted buts blouse ballistic
        antidote analyze allowance adjourned unto understatement tucked touchy subconscious screws sarge roommates
        rambaldi offend nerd knives irresistible incapable hostility goddammit fuse frat curfew blackmailed walkin
        starve sleigh sarcastic recess rebound pinned parlor outfits livin heartache haired fundraiser doorman discreet
        dilucca cracks considerate climbed catering apophis zoey urine strung stitches sordid sark protector phoned pets
        hostess flaw flavor deveraux consumed confidentiality bourbon straightened specials spaghetti prettier powerless
        playin playground paranoia instantly havoc exaggerating eavesdropping doughnuts diversion deepest cutest comb
        bela behaving anyplace accessory workout translate stuffing speeding slime royalty polls marital lurking lottery
        imaginary greetings fairwinds elegant elbow credibility credentials claws chopped bridal bedside babysitting
        witty unforgivable underworld tempt tabs sophomore selfless secrecy restless okey movin metaphor messes meltdown
        lecter incoming gasoline diefenbaker buckle admired adjustment warmth throats seduced queer parenting noses
        luckiest graveyard gifted footsteps dimeras cynical wedded verbal unpredictable tuned stoop slides sinking
        rigged plumbing lingerie hankey greed everwood elope dresser chauffeur bulletin bugged bouncing temptation
        strangest slammed sarcasm pending packages orderly obsessive murderers meteor inconvenience glimpse froze
        execute courageous consulate closes bosses bees amends wuss wolfram wacky unemployed testifying syringe stew
        startled sorrow sleazy shaky screams rsquo remark poke nutty mentioning mend inspiring impulsive housekeeper
        foam fingernails conditioning baking whine thug starved sniffing sedative programmed picket paged hound
        homosexual homo hips forgets flipping flea flatter dwell dumpster choo assignments ants vile unreasonable
        tossing thanked steals souvenir scratched psychopath outs obstruction obey lump insists harass gloat filth edgy
        didn coroner confessing bruise betraying bailing appealing adebisi wrath wandered waist vain traps stepfather
        poking obligated heavenly dilemma crazed contagious coaster cheering bundle vomit thingy speeches robbing raft
        pumped pillows peep packs neglected m'kay loneliness intrude helluva gardener forresters drooling betcha vase
        supermarket squat spitting rhyme relieve receipts racket pictured pause overdue motivation morgendorffer
        kidnapper insect horns feminine eyeballs dumps disappointing crock convertible claw clamp canned cambias bathtub
        avanya artery weep warmer suspense summoned spiders reiber raving pushy postponed ohhhh noooo mold laughter
        incompetent hugging groceries drip communicating auntie adios wraps wiser willingly weirdest timmih thinner
        swelling swat steroids sensitivity scrape rehearse prophecy ledge justified insults hateful handles doorway
        chatting buyer buckaroo bedrooms askin ammo tutoring subpoena scratching privileges pager mart intriguing
        idiotic grape enlighten corrupt brunch bridesmaid barking applause acquaintance wretched superficial soak
        smoothly sensing restraint posing pleading payoff oprah nemo morals loaf jumpy ignorant herbal hangin germs
        generosity flashing doughnut clumsy chocolates captive behaved apologise vanity stumbled preview poisonous
        perjury parental onboard mugged minding linen knots interviewing humour grind greasy goons drastic coop
        comparing cocky clearer bruised brag bind worthwhile whoop vanquishing tabloids sprung spotlight sentencing
        racist provoke pining overly locket imply impatient hovering hotter fest endure dots doren debts crawled chained
        brit breaths weirdo warmed wand troubling tok'ra strapped soaked skipping scrambled rattle profound musta
        mocking misunderstand limousine kacl hustle forensic enthusiastic duct drawers devastating conquer clarify
        chores cheerleaders cheaper callin blushing barging abused yoga wrecking wits waffles virginity vibes uninvited
        unfaithful teller strangled scheming ropes rescuing rave postcard o'reily morphine lotion lads kidneys judgement
        itch indefinitely grenade glamorous genetically freud discretion delusions crate competent bakery argh ahhhh
        wedge wager unfit tripping torment superhero stirring spinal sorority seminar scenery rabble pneumonia perks
        override ooooh mija manslaughter mailed lime lettuce intimidate guarded grieve grad frustration doorbell
        chinatown authentic arraignment annulled allergies wanta verify vegetarian tighter telegram stalk spared shoo
        satisfying saddam requesting pens overprotective obstacles notified nasedo grandchild genuinely flushed fluids
        floss escaping ditched cramp corny bunk bitten billions bankrupt yikes wrists ultrasound ultimatum thirst sniff
        shakes salsa retrieve reassuring pumps neurotic negotiating needn't monitors millionaire lydecker limp
        incriminating hatchet gracias gordie fills feeds doubting decaf biopsy whiz voluntarily ventilator unpack unload
        toad spooked snitch schillinger reassure persuasive mystical mysteries matrimony mails jock headline
        explanations dispatch curly cupid condolences comrade cassadines bulb bragging awaits assaulted ambush
        adolescent abort yank whit vaguely undermine tying swamped stabbing slippers slash sincerely sigh setback
        secondly rotting precaution pcpd melting liaison hots hooking headlines haha ganz fury felicity fangs
        encouragement earring dreidel dory donut dictate decorating cocktails bumps blueberry believable backfired
        backfire apron adjusting vous vouch vitamins ummm tattoos slimy sibling shhhh renting peculiar parasite
        paddington marries mailbox magically lovebirds knocks informant exits drazen distractions disconnected dinosaurs
        dashwood crooked conveniently wink warped underestimated tacky shoving seizure reset pushes opener mornings mash
        invent indulge horribly hallucinating festive eyebrows enjoys desperation dealers darkest daph boragora belts
        bagel authorization auditions agitated wishful wimp vanish unbearable tonic suffice suction slaying safest
        rocking relive puttin prettiest noisy newlyweds nauseous misguided mildly midst liable judgmental indy hunted
        givin fascinated elephants dislike deluded decorate crummy contractions carve bottled bonded bahamas unavailable
        twenties trustworthy surgeons stupidity skies remorse preferably pies nausea napkins mule mourn melted mashed
        inherit greatness golly excused dumbo drifting delirious damaging cubicle compelled comm chooses checkup boredom
        bandages alarms windshield who're whaddya transparent surprisingly sunglasses slit roar reade prognosis probe
        pitiful persistent peas nosy nagging morons masterpiece martinis limbo liars irritating inclined hump hoynes
        fiasco eatin cubans concentrating colorful clam cider brochure barto bargaining wiggle welcoming weighing
        vanquished stains sooo snacks smear sire resentment psychologist pint overhear morality landingham kisser hoot
        holling handshake grilled formality elevators depths confirms boathouse accidental westbridge wacko ulterior
        thugs thighs tangled stirred snag sling sleaze rumour ripe remarried puddle pins perceptive miraculous longing
        lockup librarian impressions immoral hypothetically guarding gourmet gabe faxed extortion downright digest
        cranberry bygones buzzing burying bikes weary taping takeout sweeping stepmother stale senor seaborn pros
        pepperoni newborn ludicrous injected geeks forged faults drue dire dief desi deceiving caterer calmed budge
        ankles vending typing tribbiani there're squared snowing shades sexist rewrite regretted raises picky orphan
        mural misjudged miscarriage memorize leaking jitters invade interruption illegally handicapped glitch gittes
        finer distraught dispose dishonest digs dads cruelty circling canceling butterflies belongings barbrady
        amusement alias zombies where've unborn swearing stables squeezed sensational resisting radioactive questionable
        privileged portofino owning overlook orson oddly interrogate imperative impeccable hurtful hors heap graders
        glance disgust devious destruct crazier countdown chump cheeseburger burglar berries ballroom assumptions
        annoyed allergy admirer admirable activate underpants twit tack strokes stool sham scrap retarded resourceful
        remarkably refresh pressured precautions pointy nightclub mustache maui lace hunh hubby flare dont dokey
        dangerously crushing clinging choked chem cheerleading checkbook cashmere calmly blush believer amazingly alas
        what've toilets tacos stairwell spirited sewing rubbed punches protects nuisance motherfuckers mingle kynaston
        knack kinkle impose gullible godmother funniest friggin folding fashions eater dysfunctional drool dripping
        ditto cruising criticize conceive clone cedars caliber brighter blinded birthdays banquet anticipate annoy whim
        whichever volatile veto vested shroud rests reindeer quarantine pleases painless orphans orphanage offence
        obliged negotiation narcotics mistletoe meddling manifest lookit lilah intrigued injustice homicidal gigantic
        exposing elves disturbance disastrous depended demented correction cooped cheerful buyers brownies beverage
        basics arvin weighs upsets unethical swollen sweaters stupidest sensation scalpel props prescribed pompous
        objections mushrooms mulwray manipulation lured internship insignificant inmate incentive fulfilled disagreement
        crypt cornered copied brightest beethoven attendant amaze yogurt wyndemere vocabulary tulsa tactic stuffy
        respirator pretends polygraph pennies ordinarily olives necks morally martyr leftovers joints hopping homey
        hints heartbroken forge florist firsthand fiend dandy crippled corrected conniving conditioner clears chemo
        bubbly bladder beeper baptism wiring wench weaknesses volunteering violating unlocked tummy surrogate subid
        stray startle specifics slowing scoot robbers rightful richest qfxmjrie puffs pierced pencils paralysis makeover
        luncheon linksynergy jerky jacuzzi hitched hangover fracture flock firemen disgusted darned clams borrowing
        banged wildest weirder unauthorized stunts sleeves sixties shush shalt retro quits pegged painfully paging
        omelet memorized lawfully jackets intercept ingredient grownup glued fulfilling enchanted delusion daring
        compelling carton bridesmaids bribed boiling bathrooms bandage awaiting assign arrogance antiques ainsley
        turkeys trashing stockings stalked stabilized skates sedated robes respecting psyche presumptuous prejudice
        paragraph mocha mints mating mantan lorne loads listener itinerary hepatitis heave guesses fading examining
        dumbest dishwasher deceive cunning cripple convictions confided compulsive compromising burglary bumpy
        brainwashed benes arnie affirmative adrenaline adamant watchin waitresses transgenic toughest tainted surround
        stormed spree spilling spectacle soaking shreds sewers severed scarce scamming scalp rewind rehearsing
        pretentious potions overrated obstacle nerds meems mcmurphy maternity maneuver loathe fertility eloping ecstatic
        ecstasy divorcing dignan costing clubhouse clocks candid bursting breather braces bending arsonist adored absorb
        valiant uphold unarmed topolsky thrilling thigh terminate sustain spaceship snore sneeze smuggling salty quaint
        patronize patio morbid mamma kettle joyous invincible interpret insecurities impulses illusions holed exploit
        drivin defenseless dedicate cradle coupon countless conjure cardboard booking backseat accomplishment wordsworth
        wisely valet vaccine urges unnatural unlucky truths traumatized tasting swears strawberries steaks stats skank
        seducing secretive scumbag screwdriver schedules rooting rightfully rattled qualifies puppets prospects pronto
        posse polling pedestal palms muddy morty microscope merci lecturing inject incriminate hygiene grapefruit gazebo
        funnier cuter bossy booby aides zende winthrop warrants valentines undressed underage truthfully tampered
        suffers speechless sparkling sidelines shrek railing puberty pesky outrage outdoors motions moods lunches litter
        kidnappers itching intuition imitation humility hassling gallons drugstore dosage disrupt dipping deranged
        debating cuckoo cremated craziness cooperating circumstantial chimney blinking biscuits admiring weeping triad
        trashy soothing slumber slayers skirts siren shindig sentiment rosco riddance quaid purity proceeding pretzels
        panicking mckechnie lovin leaked intruding impersonating ignorance hamburgers footprints fluke fleas festivities
        fences feisty evacuate emergencies deceived creeping craziest corpses conned coincidences bounced bodyguards
        blasted bitterness baloney ashtray apocalypse zillion watergate wallpaper telesave sympathize sweeter startin
        spades sodas snowed sleepover signor seein retainer restroom rested repercussions reliving reconcile prevail
        preaching overreact o'neil noose moustache manicure maids landlady hypothetical hopped homesick hives hesitation
        herbs hectic heartbreak haunting gangs frown fingerprint exhausting everytime disregard cling chevron chaperone
        blinding bitty beads battling badgering anticipation upstanding unprofessional unhealthy turmoil truthful
        toothpaste tippin thoughtless tagataya shooters senseless rewarding propane preposterous pigeons pastry
        overhearing obscene negotiable loner jogging itchy insinuating insides hospitality hormone hearst forthcoming
        fists fifties etiquette endings destroys despises deprived cuddy crust cloak circumstance chewed casserole
        bidder bearer artoo applaud appalling vowed virgins vigilante undone throttle testosterone tailor symptom swoop
        suitcases stomp sticker stakeout spoiling snatched smoochy smitten shameless restraints researching renew refund
        reclaim raoul puzzles purposely punks prosecuted plaid picturing pickin parasites mysteriously multiply mascara
        jukebox interruptions gunfire furnace elbows duplicate drapes deliberate decoy cryptic coupla condemn complicate
        colossal clerks clarity brushed banished argon alarmed worships versa uncanny technicality sundae stumble
        stripping shuts schmuck satin saliva robber relentless reconnect recipes rearrange rainy psychiatrists policemen
        plunge plugged patched overload o'malley mindless menus lullaby lotte leavin killin karinsky invalid hides
        grownups griff flaws flashy flaming fettes evicted dread degrassi dealings dangers cushion bowel barged abide
        abandoning wonderfully wait'll violate suicidal stayin sorted slamming sketchy shoplifting raiser quizmaster
        prefers needless motherhood momentarily migraine lifts leukemia leftover keepin hinks hellhole gowns goodies
        gallon futures entertained eighties conspiring cheery benign apiece adjustments abusive abduction wiping
        whipping welles unspeakable unidentified trivial transcripts textbook supervise superstitious stricken
        stimulating spielberg slices shelves scratches sabotaged retrieval repressed rejecting quickie ponies peeking
        outraged o'connell moping moaning mausoleum licked kovich klutz interrogating interfered insulin infested
        incompetence hyper horrified handedly gekko fraid fractured examiner eloped disoriented dashing crashdown
        courier cockroach chipped brushing bombed bolts baths baptized astronaut assurance anemia abuela abiding
        withholding weave wearin weaker suffocating straws straightforward stench steamed starboard sideways shrinks
        shortcut scram roasted roaming riviera respectfully repulsive psychiatry provoked penitentiary painkillers
        ninotchka mitzvah milligrams midge marshmallows looky lapse kubelik intellect improvise implant goa'ulds giddy
        geniuses fruitcake footing fightin drinkin doork detour cuddle crashes combo colonnade cheats cetera bailiff
        auditioning assed amused alienate aiding aching unwanted topless tongues tiniest superiors soften sheldrake
        rawley raisins presses plaster nessa narrowed minions merciful lawsuits intimidating infirmary inconvenient
        imposter hugged honoring holdin hades godforsaken fumes forgery foolproof folder flattery fingertips
        exterminator explodes eccentric dodging disguised crave constructive concealed compartment chute chinpokomon
        bodily astronauts alimony accustomed abdominal wrinkle wallow valium untrue uncover trembling treasures torched
        toenails timed termites telly taunting taransky talker succubus smarts sliding sighting semen seizures scarred
        savvy sauna saddest sacrificing rubbish riled ratted rationally provenance phonse perky pedal overdose nasal
        nanites mushy movers missus midterm merits melodramatic manure knitting invading interpol incapacitated hotline
        hauling gunpoint grail ganza framing flannel faded eavesdrop desserts calories breathtaking bleak blacked batter
        aggravated yanked wigand whoah unwind undoubtedly unattractive twitch trimester torrance timetable taxpayers
        strained stared slapping sincerity siding shenanigans shacking sappy samaritan poorer politely paste oysters
        overruled nightcap mosquito millimeter merrier manhood lucked kilos ignition hauled harmed goodwill freshmen
        fenmore fasten farce exploding erratic drunks ditching d'artagnan cramped contacting closets clientele chimp
        bargained arranging anesthesia amuse altering afternoons accountable abetting wolek waved uneasy toddy tattooed
        spauldings sliced sirens schibetta scatter rinse remedy redemption pleasures optimism oblige mmmmm masked
        malicious mailing kosher kiddies judas isolate insecurity incidentally heals headlights growl grilling glazed
        flunk floats fiery fairness exercising excellency disclosure cupboard counterfeit condescending conclusive
        clicked cleans cholesterol cashed broccoli brats blueprints blindfold billing attach appalled alrighty wynant
        unsolved unreliable toots tighten sweatshirt steinbrenner steamy spouse sonogram slots sleepless shines
        retaliate rephrase redeem rambling quilt quarrel prying proverbial priced prescribe prepped pranks possessive
        plaintiff pediatrics overlooked outcast nightgown mumbo mediocre mademoiselle lunchtime lifesaver leaned lambs
        interns hounding hellmouth hahaha goner ghoul gardening frenzy foyer extras exaggerate everlasting enlightened
        dialed devote deceitful d'oeuvres cosmetic contaminated conspired conning cavern carving butting boiled blurry
        babysit ascension aaaaah wildly whoopee whiny weiskopf walkie vultures vacations upfront unresolved tampering
        stockholders snaps sleepwalking shrunk sermon seduction scams revolve phenomenal patrolling paranormal ounces
        omigod nightfall lashing innocents infierno incision humming haunts gloss gloating frannie fetal feeny
        entrapment discomfort detonator dependable concede complication commotion commence chulak caucasian casually
        brainer bolie ballpark anwar analyzing accommodations youse wring wallowing transgenics thrive tedious stylish
        strippers sterile squeezing squeaky sprained solemn snoring shattering shabby seams scrawny revoked residue
        reeks recite ranting quoting predicament plugs pinpoint petrified pathological passports oughtta nighter
        navigate kippie intrigue intentional insufferable hunky how've horrifying hearty hamptons grazie funerals forks
        fetched excruciating enjoyable endanger dumber drying diabolical crossword corry comprehend clipped classmates
        candlelight brutally brutality boarded bathrobe authorize assemble aerobics wholesome whiff vermin trophies
        trait tragically toying testy tasteful stocked spinach sipping sidetracked scrubbing scraping sanctity robberies
        ridin retribution refrain realities radiant protesting projector plutonium payin parting o'reilly nooooo
        motherfucking measly manic lalita juggling jerking intro inevitably hypnosis huddle horrendous hobbies heartfelt
        harlin hairdresser gonorrhea fussing furtwangler fleeting flawless flashed fetus eulogy distinctly disrespectful
        denies crossbow cregg crabs cowardly contraction contingency confirming condone coffins cleansing cheesecake
        certainty cages c'est briefed bravest bosom boils binoculars bachelorette appetizer ambushed alerted woozy
        withhold vulgar utmost unleashed unholy unhappiness unconditional typewriter typed twists supermodel subpoenaed
        stringing skeptical schoolgirl romantically rocked revoir reopen puncture preach polished planetarium penicillin
        peacefully nurturing more'n mmhmm midgets marklar lodged lifeline jellyfish infiltrate hutch horseback heist
        gents frickin freezes forfeit flakes flair fathered eternally epiphany disgruntled discouraged delinquent
        decipher danvers cubes credible coping chills cherished catastrophe bombshell birthright billionaire ample
        affections admiration abbotts whatnot watering vinegar unthinkable unseen unprepared unorthodox underhanded
        uncool timeless thump thermometer theoretically tapping tagged swung stares spiked solves smuggle scarier saucer
        quitter prudent powdered poked pointers peril penetrate penance opium nudge nostrils neurological mockery
        mobster medically loudly insights implicate hypocritical humanly holiness healthier hammered haldeman gunman
        gloom freshly francs flunked flawed emptiness drugging dozer derevko deprive deodorant cryin crocodile coloring
        colder cognac clocked clippings charades chanting certifiable caterers brute brochures botched blinders bitchin
        banter woken ulcer tread thankfully swine swimsuit swans stressing steaming stamped stabilize squirm snooze
        shuffle shredded seafood scratchy savor sadistic rhetorical revlon realist prosecuting prophecies polyester
        petals persuasion paddles o'leary nuthin neighbour negroes muster meningitis matron lockers letterman legged
        indictment hypnotized housekeeping hopelessly hallucinations grader goldilocks girly flask envelopes downside
        doves dissolve discourage disapprove diabetic deliveries decorator crossfire criminally containment comrades
        complimentary chatter catchy cashier cartel caribou cardiologist brawl booted barbershop aryan angst administer
        zellie wreak whistles vandalism vamps uterus upstate unstoppable understudy tristin transcript tranquilizer
        toxins tonsils stempel spotting spectator spatula softer snotty slinging showered sexiest sensual sadder rimbaud
        restrain resilient remission reinstate rehash recollection rabies popsicle plausible pediatric patronizing
        ostrich ortolani oooooh omelette mistrial marseilles loophole laughin kevvy irritated infidelity hypothermia
        horrific groupie grinding graceful goodspeed gestures frantic extradition echelon disks dawnie dared damsel
        curled collateral collage chant calculating bumping bribes boardwalk blinds blindly bleeds bickering beasts
        backside avenge apprehended anguish abusing youthful yells yanking whomever when'd vomiting vengeful unpacking
        unfamiliar undying tumble trolls treacherous tipping tantrum tanked summons straps stomped stinkin stings staked
        squirrels sprinkles speculate sorting skinned sicko sicker shootin shatter seeya schnapps s'posed ronee
        respectful regroup regretting reeling reckoned ramifications puddy projections preschool plissken platonic
        permalash outdone outburst mutants mugging misfortune miserably miraculously medications margaritas manpower
        lovemaking logically leeches latrine kneel inflict impostor hypocrisy hippies heterosexual heightened hecuba
        healer gunned grooming groin gooey gloomy frying friendships fredo firepower fathom exhaustion evils endeavor
        eggnog dreaded d'arcy crotch coughing coronary cookin consummate congrats companionship caved caspar bulletproof
        brilliance breakin brash blasting aloud airtight advising advertise adultery aches wronged upbeat trillion
        thingies tending tarts surreal specs specialize spade shrew shaping selves schoolwork roomie recuperating rabid
        quart provocative proudly pretenses prenatal pharmaceuticals pacing overworked originals nicotine murderous
        mileage mayonnaise massages losin interrogated injunction impartial homing heartbreaker hacks glands giver
        fraizh flips flaunt englishman electrocuted dusting ducking drifted donating cylon crutches crates cowards
        comfortably chummy chitchat childbirth businesswoman brood blatant bethy barring bagged awakened asbestos
        airplanes worshipped winnings why're visualize unprotected unleash trays thicker therapists takeoff streisand
        storeroom stethoscope stacked spiteful sneaks snapping slaughtered slashed simplest silverware shits secluded
        scruples scrubs scraps ruptured roaring receptionist recap raditch radiator pushover plastered pharmacist
        perverse perpetrator ornament ointment nineties napping nannies mousse moors momentary misunderstandings
        manipulator malfunction laced kivar kickin infuriating impressionable holdup hires hesitated headphones
        hammering groundwork grotesque graces gauze gangsters frivolous freeing fours forwarding ferrars faulty
        fantasizing extracurricular empathy divorces detonate depraved demeaning deadlines dalai cursing cufflink crows
        coupons comforted claustrophobic casinos camped busboy bluth bennetts baskets attacker aplastic angrier
        affectionate zapped wormhole weaken unrealistic unravel unimportant unforgettable twain suspend superbowl
        stutter stewardess stepson standin spandex souvenirs sociopath skeletons shivering sexier selfishness scrapbook
        ritalin ribbons reunite remarry relaxation rattling rapist psychosis prepping poses pleasing pisses piling
        persecuted padded operatives negotiator natty menopause mennihan martimmys loyalties laynie lando justifies
        intimately inexperienced impotent immortality horrors hooky hinges heartbreaking handcuffed gypsies guacamole
        grovel graziella goggles gestapo fussy ferragamo feeble eyesight explosions experimenting enchanting doubtful
        dizziness dismantle detectors deserving defective dangling dancin crumble creamed cramping conceal clockwork
        chrissakes chrissake chopping cabinets brooding bonfire blurt bloated blackmailer beforehand bathed bathe
        barcode banish badges babble await attentive aroused antibodies animosity ya'll wrinkled wonderland willed whisk
        waltzing waitressing vigilant upbringing unselfish uncles trendy trajectory striped stamina stalled staking
        stacks spoils snuff snooty snide shrinking senora secretaries scoundrel saline salads rundown riddles relapse
        recommending raspberry plight pecan pantry overslept ornaments niner negligent negligence nailing mucho mouthed
        monstrous malpractice lowly loitering logged lingering lettin lattes kamal juror jillefsky jacked irritate
        intrusion insatiable infect impromptu icing hmmmm hefty gasket frightens flapping firstborn faucet estranged
        envious dopey doesn disposition disposable disappointments dipped dignified deceit dealership deadbeat curses
        coven counselors concierge clutches casbah callous cahoots brotherly britches brides bethie beige autographed
        attendants attaboy astonishing appreciative antibiotic aneurysm afterlife affidavit zoning whats whaddaya
        vasectomy unsuspecting toula topanga tonio toasted tiring terrorized tenderness tailing sweats suffocated sucky
        subconsciously starvin sprouts spineless sorrows snowstorm smirk slicery sledding slander simmer signora sigmund
        seventies sedate scented sandals rollers retraction resigning recuperate receptive racketeering queasy provoking
        priors prerogative premed pinched pendant outsiders orbing opportunist olanov neurologist nanobot mommies
        molested misread mannered laundromat intercom inspect insanely infatuation indulgent indiscretion inconsiderate
        hurrah howling herpes hasta harassed hanukkah groveling groosalug gander galactica futile fridays flier fixes
        exploiting exorcism evasive endorse emptied dreary dreamy downloaded dodged doctored disobeyed disneyland
        disable dehydrated contemplating coconuts cockroaches clogged chilling chaperon cameraman bulbs bucklands
        bribing brava bracelets bowels bluepoint appetizers appendix antics anointed analogy almonds yammering winch
        weirdness wangler vibrations vendor unmarked unannounced twerp trespass travesty transfusion trainee towelie
        tiresome straightening staggering sonar socializing sinus sinners shambles serene scraped scones scepter sarris
        saberhagen ridiculously ridicule rents reconciled radios publicist pubes prune prude precrime postponing pluck
        perish peppermint peeled overdo nutshell nostalgic mulan mouthing mistook meddle maybourne martimmy lobotomy
        livelihood lippman likeness kindest kaffee jocks jerked jeopardizing jazzed insured inquisition inhale ingenious
        holier helmets heirloom heinous haste harmsway hardship hanky gutters gruesome groping goofing godson glare
        finesse figuratively ferrie endangerment dreading dozed dorky dmitri divert discredit dialing cufflinks crutch
        craps corrupted cocoon cleavage cannery bystander brushes bruising bribery brainstorm bolted binge ballistics
        astute arroway adventurous adoptive addicts addictive yadda whitelighters wematanye weeds wedlock wallets
        vulnerability vroom vents upped unsettling unharmed trippin trifle tracing tormenting thats syphilis subtext
        stickin spices sores smacked slumming sinks signore shitting shameful shacked septic seedy righteousness relish
        rectify ravishing quickest phoebs perverted peeing pedicure pastrami passionately ozone outnumbered oregano
        offender nukes nosed nighty nifty mounties motivate moons misinterpreted mercenary mentality marsellus lupus
        lumbar lovesick lobsters leaky laundering latch jafar instinctively inspires indoors incarcerated hundredth
        handkerchief gynecologist guittierez groundhog grinning goodbyes geese fullest eyelashes eyelash enquirer
        endlessly elusive disarm detest deluding dangle cotillion corsage conjugal confessional cones commandment coded
        coals chuckle christmastime cheeseburgers chardonnay celery campfire calming burritos brundle broflovski
        brighten borderline blinked bling beauties bauers battered articulate alienated ahhhhh agamemnon accountants
        y'see wrongful wrapper workaholic winnebago whispered warts vacate unworthy unanswered tonane tolerated throwin
        throbbing thrills thorns thereof there've tarot sunscreen stretcher stereotype soggy sobbing sizable sightings
        shucks shrapnel sever senile seaboard scorned saver rebellious rained putty prenup pores pinching pertinent
        peeping paints ovulating opposites occult nutcracker nutcase newsstand newfound mocked midterms marshmallow
        marbury maclaren leans krudski knowingly keycard junkies juilliard jolinar irritable invaluable inuit
        intoxicating instruct insolent inexcusable incubator illustrious hunsecker houseguest homosexuals homeroom
        hernia harming handgun hallways hallucination gunshots groupies groggy goiter gingerbread giggling frigging
        fledged fedex fairies exchanging exaggeration esteemed enlist drags dispense disloyal disconnect desks dentists
        delacroix degenerate daydreaming cushions cuddly corroborate complexion compensated cobbler closeness chilled
        checkmate channing carousel calms bylaws benefactor ballgame baiting backstabbing artifact airspace adversary
        actin accuses accelerant abundantly abstinence zissou zandt yapping witchy willows whadaya vilandra veiled
        undress undivided underestimating ultimatums twirl truckload tremble toasting tingling tents tempered sulking
        stunk sponges spills softly snipers scourge rooftop riana revolting revisit refreshments redecorating recapture
        raysy pretense prejudiced precogs pouting poofs pimple piles pediatrician padre packets paces orvelle oblivious
        objectivity nighttime nervosa mexicans meurice melts matchmaker maeby lugosi lipnik leprechaun kissy kafka
        introductions intestines inspirational insightful inseparable injections inadvertently hussy huckabees hittin
        hemorrhaging headin haystack hallowed grudges granilith grandkids grading gracefully godsend gobbles fragrance
        fliers finchley farts eyewitnesses expendable existential dorms delaying degrading deduction darlings danes
        cylons counsellor contraire consciously conjuring congratulating cokes buffay brooch bitching bistro bijou
        bewitched benevolent bends bearings barren aptitude amish amazes abomination worldly whispers whadda wayward
        wailing vanishing upscale untouchable unspoken uncontrollable unavoidable unattended trite transvestite toupee
        timid timers terrorizing swana stumped strolling storybook storming stomachs stoked stationery springtime
        spontaneity spits spins soaps sentiments scramble scone rooftops retract reflexes rawdon ragged quirky quantico
        psychologically prodigal pounce potty pleasantries pints petting perceive onstage notwithstanding nibble newmans
        neutralize mutilated millionaires mayflower masquerade mangy macreedy lunatics lovable locating limping lasagna
        kwang keepers juvie jaded ironing intuitive intensely insure incantation hysteria hypnotize humping happenin
        griet grasping glorified ganging g'night focker flunking flimsy flaunting fixated fitzwallace fainting eyebrow
        exonerated ether electrician egotistical earthly dusted dignify detonation debrief dazzling dan'l damnedest
        daisies crushes crucify contraband confronting collapsing cocked clicks cliche circled chandelier carburetor
        callers broads breathes bloodshed blindsided blabbing bialystock bashing ballerina aviva arteries anomaly
        airstrip agonizing adjourn aaaaa yearning wrecker witnessing whence warhead unsure unheard unfreeze unfold
        unbalanced ugliest troublemaker toddler tiptoe threesome thirties thermostat swipe surgically subtlety stung
        stumbling stubs stride strangling sprayed socket smuggled showering shhhhh sabotaging rumson rounding risotto
        repairman rehearsed ratty ragging radiology racquetball racking quieter quicksand prowl prompt premeditated
        prematurely prancing porcupine plated pinocchio peeked peddle panting overweight overrun outing outgrown obsess
        nursed nodding negativity negatives musketeers mugger motorcade merrily matured masquerading marvellous maniacs
        lovey louse linger lilies lawful kudos knuckle juices judgments itches intolerable intermission inept
        incarceration implication imaginative huckleberry holster heartburn gunna groomed graciously fulfillment
        fugitives forsaking forgives foreseeable flavors flares fixation fickle fantasize famished fades expiration
        exclamation erasing eiffel eerie earful duped dulles dissing dissect dispenser dilated detergent desdemona
        debriefing damper curing crispina crackpot courting cordial conflicted comprehension commie cleanup chiropractor
        charmer chariot cauldron catatonic bullied buckets brilliantly breathed booths boardroom blowout blindness
        blazing biologically bibles biased beseech barbaric balraj audacity anticipating alcoholics airhead agendas
        admittedly absolution youre yippee wittlesey withheld willful whammy weakest washes virtuous videotapes vials
        unplugged unpacked unfairly turbulence tumbling tricking tremendously traitors torches tinga thyroid teased
        tawdry taker sympathies swiped sundaes suave strut stepdad spewing spasm socialize slither simulator shutters
        shrewd shocks semantics schizophrenic scans savages rya'c runny ruckus royally roadblocks rewriting revoke
        repent redecorate recovers recourse ratched ramali racquet quince quiche puppeteer puking puffed problemo
        praises pouch postcards pooped poised piled phoney phobia patching parenthood pardner oozing ohhhhh numbing
        nostril nosey neatly nappa nameless mortuary moronic modesty midwife mcclane matuka maitre lumps lucid loosened
        loins lawnmower lamotta kroehner jinxy jessep jamming jailhouse jacking intruders inhuman infatuated indigestion
        implore implanted hormonal hoboken hillbilly heartwarming headway hatched hartmans harping grapevine gnome
        forties flyin flirted fingernail exhilarating enjoyment embark dumper dubious drell docking disillusioned
        dishonor disbarred dicey custodial counterproductive corned cords contemplate concur conceivable cobblepot
        chickened checkout carpe cap'n campers buyin bullies braid boxed bouncy blueberries blubbering bloodstream
        bigamy beeped bearable autographs alarming wretch wimps widower whirlwind whirl warms vandelay unveiling undoing
        unbecoming turnaround touche togetherness tickles ticker teensy taunt sweethearts stitched standpoint staffers
        spotless soothe smothered sickening shouted shepherds shawl seriousness schooled schoolboy s'mores roped
        reminders raggedy preemptive plucked pheromones particulars pardoned overpriced overbearing outrun ohmigod
        nosing nicked neanderthal mosquitoes mortified milky messin mecha markinson marivellas mannequin manderley
        madder macready lookie locusts lifetimes lanna lakhi kholi impersonate hyperdrive horrid hopin hogging hearsay
        harpy harboring hairdo hafta grasshopper gobble gatehouse foosball floozy fished firewood finalize felons
        euphemism entourage elitist elegance drokken drier dredge dossier diseased diarrhea diagnose despised defuse
        d'amour contesting conserve conscientious conjured collars clogs chenille chatty chamomile casing calculator
        brittle breached blurted birthing bikinis astounding assaulting aroma appliance antsy amnio alienating aliases
        adolescence xerox wrongs workload willona whistling werewolves wallaby unwelcome unseemly unplug undermining
        ugliness tyranny tuesdays trumpets transference ticks tangible tagging swallowing superheroes studs strep stowed
        stomping steffy sprain spouting sponsoring sneezing smeared slink shakin sewed seatbelt scariest scammed
        sanctimonious roasting rightly retinal rethinking resented reruns remover racks purest progressing presidente
        preeclampsia postponement portals poppa pliers pinning pelvic pampered padding overjoyed ooooo one'll octavius
        nonono nicknames neurosurgeon narrows misled mislead mishap milltown milking meticulous mediocrity meatballs
        machete lurch layin knockin khruschev jurors jumpin jugular jeweler intellectually inquiries indulging
        indestructible indebted imitate ignores hyperventilating hyenas hurrying hermano hellish heheh harshly handout
        grunemann glances giveaway getup gerome furthest frosting frail forwarded forceful flavored flammable flaky
        fingered fatherly ethic embezzlement duffel dotted distressed disobey disappearances dinky diminish diaphragm
        deuces creme courteous comforts coerced clots clarification chunks chickie chases chaperoning cartons caper
        calves caged bustin bulging bringin boomhauer blowin blindfolded biscotti ballplayer bagging auster assurances
        aschen arraigned anonymity alters albatross agreeable adoring abduct wolfi weirded watchers washroom warheads
        vincennes urgency understandably uncomplicated uhhhh twitching treadmill thermos tenorman tangle talkative swarm
        surrendering summoning strive stilts stickers squashed spraying sparring soaring snort sneezed slaps skanky
        singin sidle shreck shortness shorthand sharper shamed sadist rydell rusik roulette resumes respiration recount
        reacts purgatory princesses presentable ponytail plotted pinot pigtails phillippe peddling paroled orbed offends
        o'hara moonlit minefield metaphors malignant mainframe magicks maggots maclaine loathing leper leaps leaping
        lashed larch larceny lapses ladyship juncture jiffy jakov invoke infantile inadmissible horoscope hinting
        hideaway hesitating heddy heckles hairline gripe gratifying governess goebbels freddo foresee fascination
        exemplary executioner etcetera escorts endearing eaters earplugs draped disrupting disagrees dimes devastate
        detain depositions delicacy darklighter cynicism cyanide cutters cronus continuance conquering confiding
        compartments combing cofell clingy cleanse christmases cheered cheekbones buttle burdened bruenell broomstick
        brained bozos bontecou bluntman blazes blameless bizarro bellboy beaucoup barkeep awaken astray assailant
        appease aphrodisiac alleys yesss wrecks woodpecker wondrous wimpy willpower wheeling weepy waxing waive
        videotaped veritable untouched unlisted unfounded unforeseen twinge triggers traipsing toxin tombstone thumping
        therein testicles telephones tarmac talby tackled swirling suicides suckered subtitles sturdy strangler
        stockbroker stitching steered standup squeal sprinkler spontaneously splendor spiking spender snipe snagged
        skimming siddown showroom shovels shotguns shoelaces shitload shellfish sharpest shadowy seizing scrounge
        scapegoat sayonara saddled rummaging roomful renounce reconsidered recharge realistically radioed quirks
        quadrant punctual practising pours poolhouse poltergeist pocketbook plainly picnics pesto pawing passageway
        partied oneself numero nostalgia nitwit neuro mixer meanest mcbeal matinee margate marce manipulations manhunt
        manger magicians loafers litvack lightheaded lifeguard lawns laughingstock ingested indignation inconceivable
        imposition impersonal imbecile huddled housewarming horizons homicides hiccups hearse hardened gushing gushie
        greased goddamit freelancer forging fondue flustered flung flinch flicker fixin festivus fertilizer farted
        faggots exonerate evict enormously encrypted emdash embracing duress dupres dowser doormat disfigured
        disciplined dibbs depository deathbed dazzled cuttin cures crowding crepe crammed copycat contradict confidant
        condemning conceited commute comatose clapping circumference chuppah chore choksondik chestnuts briault
        bottomless bonnet blokes berluti beret beggars bankroll bania athos arsenic apperantly ahhhhhh afloat accents
        zipped zeros zeroes zamir yuppie youngsters yorkers wisest wipes wield whyn't weirdos wednesdays vicksburg
        upchuck untraceable unsupervised unpleasantness unhook unconscionable uncalled trappings tragedies townie
        thurgood things'll thine tetanus terrorize temptations tanning tampons swarming straitjacket steroid startling
        starry squander speculating sollozzo sneaked slugs skedaddle sinker silky shortcomings sellin seasoned scrubbed
        screwup scrapes scarves sandbox salesmen rooming romances revere reproach reprieve rearranging ravine
        rationalize raffle punchy psychobabble provocation profoundly prescriptions preferable polishing poached pledges
        pirelli perverts oversized overdressed outdid nuptials nefarious mouthpiece motels mopping mongrel missin
        metaphorically mertin memos melodrama melancholy measles meaner mantel maneuvering mailroom luring listenin
        lifeless licks levon legwork kneecaps kippur kiddie kaput justifiable insistent insidious innuendo innit
        indecent imaginable horseshit hemorrhoid hella healthiest haywire hamsters hairbrush grouchy grisly gratuitous
        glutton glimmer gibberish ghastly gentler generously geeky fuhrer fronting foolin faxes faceless extinguisher
        expel etched endangering ducked dodgeball dives dislocated discrepancy devour derail dementia daycare cynic
        crumbling cowardice covet cornwallis corkscrew cookbook commandments coincidental cobwebs clouded clogging
        clicking clasp chopsticks chefs chaps cashing carat calmer brazen brainwashing bradys bowing boned bloodsucking
        bleachers bleached bedpan bearded barrenger bachelors awwww assures assigning asparagus apprehend anecdote
        amoral aggravation afoot acquaintances accommodating yakking worshipping wladek willya willies wigged whoosh
        whisked watered warpath volts violates valuables uphill unwise untimely unsavory unresponsive unpunished
        unexplained tubby trolling toxicology tormented toothache tingly timmiihh thursdays thoreau terrifies
        temperamental telegrams talkie takers symbiote swirl suffocate stupider strapping steckler springing someway
        sleepyhead sledgehammer slant slams showgirl shoveling shmoopy sharkbait shan't scrambling schematics sandeman
        sabbatical rummy reykjavik revert responsive rescheduled requisition relinquish rejoice reckoning recant rebadow
        reassurance rattlesnake ramble primed pricey prance pothole pocus persist perpetrated pekar peeling pastime
        parmesan pacemaker overdrive ominous observant nothings noooooo nonexistent nodded nieces neglecting nauseating
        mutated musket mumbling mowing mouthful mooseport monologue mistrust meetin masseuse mantini mailer madre
        lowlifes locksmith livid liven limos liberating lhasa leniency leering laughable lashes lasagne laceration
        korben katan kalen jittery jammies irreplaceable intubate intolerant inhaler inhaled indifferent indifference
        impound impolite humbly heroics heigh guillotine guesthouse grounding grips gossiping goatee gnomes gellar frutt
        frobisher freudian foolishness flagged femme fatso fatherhood fantasized fairest faintest eyelids extravagant
        extraterrestrial extraordinarily escalator elevate drivel dissed dismal disarray dinnertime devastation
        dermatologist delicately defrost debutante debacle damone dainty cuvee culpa crucified creeped crayons courtship
        convene congresswoman concocted compromises comprende comma coleslaw clothed clinically chickenshit checkin
        cesspool caskets calzone brothel boomerang bodega blasphemy bitsy bicentennial berlini beatin beards barbas
        barbarians backpacking arrhythmia arousing arbitrator antagonize angling anesthetic altercation aggressor
        adversity acathla aaahhh wreaking workup wonderin wither wielding what'm what'cha waxed vibrating veterinarian
        venting vasey valor validate upholstery untied unscathed uninterrupted unforgiving undies uncut twinkies tucking
        treatable treasured tranquility townspeople torso tomei tipsy tinsel tidings thirtieth tantrums tamper talky
        swayed swapping suitor stylist stirs standoff sprinklers sparkly snobby snatcher smoother sleepin shrug shoebox
        sheesh shackles setbacks sedatives screeching scorched scanned satyr roadblock riverbank ridiculed resentful
        repellent recreate reconvene rebuttal realmedia quizzes questionnaire punctured pucker prolong professionalism
        pleasantly pigsty penniless paychecks patiently parading overactive ovaries orderlies oracles oiled offending
        nudie neonatal neighborly moops moonlighting mobilize mmmmmm milkshake menial meats mayan maxed mangled magua
        lunacy luckier liters lansbury kooky knowin jeopardized inkling inhalation inflated infecting incense inbound
        impractical impenetrable idealistic i'mma hypocrites hurtin humbled hologram hokey hocus hitchhiking hemorrhoids
        headhunter hassled harts hardworking haircuts hacksaw genitals gazillion gammy gamesphere fugue footwear folly
        flashlights fives filet extenuating estrogen entails embezzled eloquent egomaniac ducts drowsy drones doree
        donovon disguises diggin deserting depriving defying deductible decorum decked daylights daybreak dashboard
        damnation cuddling crunching crickets crazies councilman coughed conundrum complimented cohaagen clutching clued
        clader cheques checkpoint chats channeling ceases carasco capisce cantaloupe cancelling campsite burglars
        breakfasts bra'tac blueprint bleedin blabbed beneficiary basing avert atone arlyn approves apothecary antiseptic
        aleikuum advisement zadir wobbly withnail whattaya whacking wedged wanders vaginal unimaginable undeniable
        unconditionally uncharted unbridled tweezers tvmegasite trumped triumphant trimming treading tranquilizers
        toontown thunk suture suppressing strays stonewall stogie stepdaughter stace squint spouses splashed speakin
        sounder sorrier sorrel sombrero solemnly softened snobs snippy snare smoothing slump slimeball slaving silently
        shiller shakedown sensations scrying scrumptious screamin saucy santoses roundup roughed rosary robechaux
        retrospect rescind reprehensible repel remodeling reconsidering reciprocate railroaded psychics promos prob'ly
        pristine printout priestess prenuptial precedes pouty phoning peppy pariah parched panes overloaded overdoing
        nymphs nother notebooks nearing nearer monstrosity milady mieke mephesto medicated marshals manilow mammogram
        m'lady lotsa loopy lesion lenient learner laszlo kross kinks jinxed involuntary insubordination ingrate
        inflatable incarnate inane hypoglycemia huntin humongous hoodlum honking hemorrhage helpin hathor hatching
        grotto grandmama gorillas godless girlish ghouls gershwin frosted flutter flagpole fetching fatter faithfully
        exert evasion escalate enticing enchantress elopement drills downtime downloading dorks doorways divulge
        dissociative disgraceful disconcerting deteriorate destinies depressive dented denim decruz decidedly deactivate
        daydreams curls culprit cruelest crippling cranberries corvis copped commend coastguard cloning cirque churning
        chock chivalry catalogues cartwheels carols canister buttered bundt buljanoff bubbling brokers broaden brimstone
        brainless bores badmouthing autopilot ascertain aorta ampata allenby accosted absolve aborted aaagh aaaaaah
        yonder yellin wyndham wrongdoing woodsboro wigging wasteland warranty waltzed walnuts vividly veggie
        unnecessarily unloaded unicorns understated unclean umbrellas twirling turpentine tupperware triage treehouse
        tidbit tickled threes thousandth thingie terminally teething tassel talkies swoon switchboard swerved
        suspiciously subsequentlyne subscribe strudel stroking strictest stensland starin stannart squirming squealing
        sorely softie snookums sniveling smidge sloth skulking simian sightseeing siamese shudder shoppers sharpen
        shannen semtex secondhand seance scowl scorn safekeeping russe rummage roshman roomies roaches rinds retrace
        retires resuscitate rerun reputations rekall refreshment reenactment recluse ravioli raves raking purses
        punishable punchline puked prosky previews poughkeepsie poppins polluted placenta pissy petulant perseverance
        pears pawns pastries partake panky palate overzealous orchids obstructing objectively obituaries obedient
        nothingness musty motherly mooning momentous mistaking minutemen milos microchip meself merciless menelaus mazel
        masturbate mahogany lysistrata lillienfield likable liberate leveled letdown larynx lardass lainey lagged klorel
        kidnappings keyed karmic jeebies irate invulnerable intrusive insemination inquire injecting informative
        informants impure impasse imbalance illiterate hurled hunts hematoma headstrong handmade handiwork growling
        gorky getcha gesundheit gazing galley foolishly fondness floris ferocious feathered fateful fancies fakes faker
        expire ever'body essentials eskimos enlightening enchilada emissary embolism elsinore ecklie drenched drazi
        doped dogging doable dislikes dishonesty disengage discouraging derailed deformed deflect defer deactivated
        crips constellations congressmen complimenting clubbing clawing chromium chimes chews cheatin chaste cellblock
        caving catered catacombs calamari bucking brulee brits brisk breezes bounces boudoir binks better'n bellied
        behrani behaves bedding balmy badmouth backers avenging aromatherapy armpit armoire anythin anonymously
        anniversaries aftershave affliction adrift admissible adieu acquittal yucky yearn whitter whirlpool wendigo
        watchdog wannabes wakey vomited voicemail valedictorian uttered unwed unrequited unnoticed unnerving unkind
        unjust uniformed unconfirmed unadulterated unaccounted uglier turnoff trampled tramell toads timbuktu throwback
        thimble tasteless tarantula tamale takeovers swish supposing streaking stargher stanzi stabs squeamish
        splattered spiritually spilt speciality smacking skywire skips skaara simpatico shredding showin shortcuts shite
        shielding shamelessly serafine sentimentality seasick schemer scandalous sainted riedenschneider rhyming revel
        retractor retards resurrect remiss reminiscing remanded reiben regains refuel refresher redoing redheaded
        reassured rearranged rapport qumar prowling prejudices precarious powwow pondering plunger plunged pleasantville
        playpen phlegm perfected pancreas paley ovary outbursts oppressed ooohhh omoroca offed o'toole nurture nursemaid
        nosebleed necktie muttering munchies mucking mogul mitosis misdemeanor miscarried millionth migraines midler
        manicurist mandelbaum manageable malfunctioned magnanimous loudmouth longed lifestyles liddy lickety leprechauns
        komako klute kennel justifying irreversible inventing intergalactic insinuate inquiring ingenuity inconclusive
        incessant improv impersonation hyena humperdinck hubba housework hoffa hither hissy hippy hijacked heparin
        hellooo hearth hassles hairstyle hahahaha hadda guys'll gutted gulls gritty grievous graft gossamer gooder
        gambled gadgets fundamentals frustrations frolicking frock frilly foreseen footloose fondly flirtation flinched
        flatten farthest exposer evading escrow empathize embryos embodiment ellsberg ebola dulcinea dreamin drawbacks
        doting doose doofy disturbs disorderly disgusts detox denominator demeanor deliriously decode debauchery
        croissant cravings cranked coworkers councilor confuses confiscate confines conduit compress combed clouding
        clamps cinch chinnery celebratory catalogs carpenters carnal canin bundys bulldozer buggers bueller brainy
        booming bookstores bloodbath bittersweet bellhop beeping beanstalk beady baudelaire bartenders bargains averted
        armadillo appreciating appraised antlers aloof allowances alleyway affleck abject zilch youore xanax wrenching
        wouldn witted wicca whorehouse whooo whips vouchers victimized vicodin untested unsolicited unfocused unfettered
        unfeeling unexplainable understaffed underbelly tutorial tryst trampoline towering tirade thieving thang swimmin
        swayzak suspecting superstitions stubbornness streamers strattman stonewalling stiffs stacking spout splice
        sonrisa smarmy slows slicing sisterly shrill shined seeming sedley seatbelts scour scold schoolyard scarring
        salieri rustling roxbury rewire revved retriever reputable remodel reins reincarnation rance rafters rackets
        quail pumbaa proclaim probing privates pried prewedding premeditation posturing posterity pleasurable pizzeria
        pimps penmanship penchant pelvis overturn overstepped overcoat ovens outsmart outed ooohh oncologist omission
        offhand odour nyazian notarized nobody'll nightie navel nabbed mystique mover mortician morose moratorium
        mockingbird mobsters mingling methinks messengered merde masochist martouf martians marinara manray majorly
        magnifying mackerel lurid lugging lonnegan loathsome llantano liberace leprosy latinos lanterns lamest laferette
        kraut intestine innocencia inhibitions ineffectual indisposed incurable inconvenienced inanimate improbable
        implode hydrant hustling hustled huevos how'm hooey hoods honcho hinge hijack heimlich hamunaptra haladki haiku
        haggle gutsy grunting grueling gribbs greevy grandstanding godparents glows glistening gimmick gaping fraiser
        formalities foreigner folders foggy fitty fiends fe'nos favours eyeing extort expedite escalating epinephrine
        entitles entice eminence eights earthlings eagerly dunville dugout doublemeat doling dispensing dispatcher
        discoloration diners diddly dictates diazepam derogatory delights defies decoder dealio danson cutthroat
        crumbles croissants crematorium craftsmanship could'a cordless cools conked confine concealing complicates
        communique cockamamie coasters clobbered clipping clipboard clemenza cleanser circumcision chanukah certainaly
        cellmate cancels cadmium buzzed bumstead bucko browsing broth braver boggling bobbing blurred birkhead benet
        belvedere bellies begrudge beckworth banky baldness baggy babysitters aversion astonished assorted appetites
        angina amiss ambulances alibis airway admires adhesive yoyou xxxxxx wreaked wracking woooo wooing wised wilshire
        wedgie waging violets vincey uplifting untrustworthy unmitigated uneventful undressing underprivileged unburden
        umbilical tweaking turquoise treachery tosses torching toothpick toasts thickens tereza tenacious teldar taint
        swill sweatin subtly subdural streep stopwatch stockholder stillwater stalkers squished squeegee splinters
        spliced splat spied spackle sophistication snapshots smite sluggish slithered skeeters sidewalks sickly shrugs
        shrubbery shrieking shitless settin sentinels selfishly scarcely sangria sanctum sahjhan rustle roving rousing
        rosomorf riddled responsibly renoir remoray remedial refundable redirect recheck ravenwood rationalizing ramus
        ramelle quivering pyjamas psychos provocations prouder protestors prodded proctologist primordial pricks prickly
        precedents pentangeli pathetically parka parakeet panicky overthruster outsmarted orthopedic oncoming offing
        nutritious nuthouse nourishment nibbling newlywed narcissist mutilation mundane mummies mumble mowed morvern
        mortem mopes molasses misplace miscommunication miney midlife menacing memorizing massaging masking magnets
        luxuries lounging lothario liposuction lidocaine libbets levitate leeway launcelot larek lackeys kumbaya
        kryptonite knapsack keyhole katarangura juiced jakey ironclad invoice intertwined interlude interferes injure
        infernal indeedy incur incorrigible incantations impediment igloo hysterectomy hounded hollering hindsight
        heebie havesham hasenfuss hankering hangers hakuna gutless gusto grubbing grrrr grazed gratification grandeur
        gorak godammit gnawing glanced frostbite frees frazzled fraulein fraternizing fortuneteller formaldehyde
        followup foggiest flunky flickering firecrackers figger fetuses fates eyeliner extremities extradited expires
        exceedingly evaporate erupt epileptic entrails emporium egregious eggshells easing duwayne droll dreyfuss dovey
        doubly doozy donkeys donde distrust distressing disintegrate discreetly decapitated dealin deader dashed
        darkroom dares daddies dabble cushy cupcakes cuffed croupier croak crapped coursing coolers contaminate
        consummated construed condos concoction compulsion commish coercion clemency clairvoyant circulate chesterton
        checkered charlatan chaperones categorically cataracts carano capsules capitalize burdon bullshitting brewed
        breathless breasted brainstorming bossing borealis bonsoir bobka boast blimp bleep bleeder blackouts bisque
        billboards beatings bayberry bashed bamboozled balding baklava baffled backfires babak awkwardness attest
        attachments apologizes anyhoo antiquated alcante advisable aahhh aaahh zatarc yearbooks wuddya wringing
        womanhood witless winging whatsa wetting waterproof wastin vogelman vocation vindicated vigilance vicariously
        venza vacuuming utensils uplink unveil unloved unloading uninhibited unattached tweaked turnips trinkets toughen
        toting topside terrors terrify technologically tarnish tagliati szpilman surly supple summation suckin stepmom
        squeaking splashmore souffle solitaire solicitation solarium smokers slugged slobbering skylight skimpy sinuses
        silenced sideburns shrinkage shoddy shhhhhh shelled shareef shangri seuss serenade scuffle scoff scanners
        sauerkraut sardines sarcophagus salvy rusted russells rowboat rolfsky ringside respectability reparations
        renegotiate reminisce reimburse regimen raincoat quibble puzzled purposefully pubic proofing prescribing prelim
        poisons poaching personalized personable peroxide pentonville payphone payoffs paleontology overflowing oompa
        oddest objecting o'hare o'daniel notches nobody'd nightstand neutralized nervousness nerdy needlessly naquadah
        nappy nantucket nambla mountaineer motherfuckin morrie monopolizing mohel mistreated misreading misbehave
        miramax minivan milligram milkshakes metamorphosis medics mattresses mathesar matchbook matata marys malucci
        magilla lymphoma lowers lordy linens lindenmeyer limelight leapt laxative lather lapel lamppost laguardia
        kindling kegger kawalsky juries jokin jesminder interning innermost injun infallible industrious indulgence
        incinerator impossibility impart illuminate iguanas hypnotic hyped hospitable hoses homemaker hirschmuller
        helpers headset guardianship guapo grubby granola granddaddy goren goblet gluttony globes giorno getter geritol
        gassed gaggle foxhole fouled foretold floorboards flippers flaked fireflies feedings fashionably farragut
        fallback facials exterminate excites everything'll evenin ethically ensue enema empath eluded eloquently eject
        edema dumpling droppings dolled distasteful disputing displeasure disdain deterrent dehydration defied
        decomposing dawned dailies custodian crusts crucifix crowning crier crept craze crawls couldn correcting
        corkmaster copperfield cooties contraption consumes conspire consenting consented conquers congeniality
        complains communicator commendable collide coladas colada clout clooney classifieds clammy civility cirrhosis
        chink catskills carvers carpool carelessness cardio carbs capades butabi busmalis burping burdens bunks buncha
        bulldozers browse brockovich breakthroughs bravado boogety blossoms blooming bloodsucker blight betterton
        betrayer belittle beeps bawling barts bartending bankbooks babish atropine assertive armbrust anyanka annoyance
        anemic anago airwaves aimlessly aaargh aaand yoghurt writhing workable winking winded widen whooping whiter
        whatya wazoo voila virile vests vestibule versed vanishes urkel uproot unwarranted unscheduled unparalleled
        undergrad tweedle turtleneck turban trickery transponder toyed townhouse thyself thunderstorm thinning thawed
        tether technicalities tau'ri tarnished taffeta tacked systolic swerve sweepstakes swabs suspenders superwoman
        sunsets succulent subpoenas stumper stosh stomachache stewed steppin stepatech stateside spicoli sparing
        soulless sonnets sockets snatching smothering slush sloman slashing sitters simpleton sighs sidra sickens
        shunned shrunken showbiz shopped shimmering shagging semblance segue sedation scuzzlebutt scumbags screwin
        scoundrels scarsdale scabs saucers saintly saddened runaways runaround rheya resenting rehashing rehabilitated
        regrettable refreshed redial reconnecting ravenous raping rafting quandary pylea putrid puffing psychopathic
        prunes probate prayin pomegranate plummeting planing plagues pinata pithy perversion personals perched peeps
        peckish pavarotti pajama packin pacifier overstepping okama obstetrician nutso nuance normalcy nonnegotiable
        nomak ninny nines nicey newsflash neutered nether negligee necrosis navigating narcissistic mylie muses momento
        moisturizer moderation misinformed misconception minnifield mikkos methodical mebbe meager maybes matchmaking
        masry markovic malakai luzhin lusting lumberjack loopholes loaning lightening leotard launder lamaze kubla
        kneeling kibosh jumpsuit joliet jogger janover jakovasaurs irreparable innocently inigo infomercial inexplicable
        indispensable impregnated impossibly imitating hunches hummus houmfort hothead hostiles hooves hooligans homos
        homie hisself heyyy hesitant hangout handsomest handouts hairless gwennie guzzling guinevere grungy goading
        glaring gavel gardino gangrene fruitful friendlier freckle freakish forthright forearm footnote flops fixer
        firecracker finito figgered fezzik fastened farfetched fanciful familiarize faire fahrenheit extravaganza
        exploratory explanatory everglades eunuch estas escapade erasers emptying embarassing dweeb dutiful dumplings
        dries drafty dollhouse dismissing disgraced discrepancies disbelief disagreeing digestion didnt deviled deviated
        demerol delectable decaying decadent dears dateless d'algout cultivating cryto crumpled crumbled cronies crease
        craves cozying corduroy congratulated confidante compressions complicating compadre coerce classier chums
        chumash chivalrous chinpoko charred chafing celibacy carted carryin carpeting carotid cannibals candor
        butterscotch busts busier bullcrap buggin brookside brodski brassiere brainwash brainiac botrelle bonbon
        boatload blimey blaring blackness bipartisan bimbos bigamist biebe biding betrayals bestow bellerophon bedpans
        bassinet basking barzini barnyard barfed backups audited asinine asalaam arouse applejack annoys anchovies
        ampule alameida aggravate adage accomplices yokel y'ever wringer witwer withdrawals windward willfully whorfin
        whimsical whimpering weddin weathered warmest wanton volant visceral vindication veggies urinate uproar
        unwritten unwrap unsung unsubstantiated unspeakably unscrupulous unraveling unquote unqualified unfulfilled
        undetectable underlined unattainable unappreciated ummmm ulcers tylenol tweak turnin tuatha tropez trellis
        toppings tootin toodle tinkering thrives thespis theatrics thatherton tempers tavington tartar tampon swelled
        sutures sustenance sunflowers sublet stubbins strutting strewn stowaway stoic sternin stabilizing spiraling
        spinster speedometer speakeasy soooo soiled sneakin smithereens smelt smacks slaughterhouse slacks skids
        sketching skateboards sizzling sixes sirree simplistic shouts shorted shoelace sheeit shards shackled
        sequestered selmak seduces seclusion seamstress seabeas scoops scooped scavenger satch s'more rudeness romancing
        rioja rifkin rieper revise reunions repugnant replicating repaid renewing relaxes rekindle regrettably
        regenerate reels reciting reappear readin ratting rapes rancher rammed rainstorm railroading queers punxsutawney
        punishes pssst prudy proudest protectors procrastinating proactive priss postmortem pompoms poise pickings
        perfectionist peretti people'll pecking patrolman paralegal paragraphs paparazzi pankot pampering overstep
        overpower outweigh omnipotent odious nuwanda nurtured newsroom neeson needlepoint necklaces neato muggers
        muffler mousy mourned mosey mopey mongolians moldy misinterpret minibar microfilm mendola mended melissande
        masturbating masbath manipulates maimed mailboxes magnetism m'lord m'honey lymph lunge lovelier lefferts leezak
        ledgers larraby laloosh kundun kozinski knockoff kissin kiosk kennedys kellman karlo kaleidoscope jeffy
        jaywalking instructing infraction informer infarction impulsively impressing impersonated impeach idiocy
        hyperbole hurray humped huhuh hsing hordes hoodlums honky hitchhiker hideously heaving heathcliff headgear
        headboard hazing harem handprint hairspray gutiurrez goosebumps gondola glitches gasping frolic freeways frayed
        fortitude forgetful forefathers fonder foiled foaming flossing flailing fitzgeralds firehouse finders fiftieth
        fellah fawning farquaad faraway fancied extremists exorcist exhale ethros entrust ennui energized encephalitis
        embezzling elster elixir electrolytes duplex dryers drexl dredging drawback don'ts dobisch divorcee disrespected
        disprove disobeying disinfectant dingy digress dieting dictating devoured devise detonators desist deserter
        derriere deron deceptive debilitating deathwok daffodils curtsy cursory cuppa cumin cronkite cremation credence
        cranking coverup courted countin counselling cornball contentment consensual compost cluett cleverly cleansed
        cleanliness chopec chomp chins chime cheswick chessler cheapest chatted cauliflower catharsis catchin caress
        camcorder calorie cackling bystanders buttoned buttering butted buries burgel buffoon brogna bragged boutros
        bogeyman blurting blurb blowup bloodhound blissful birthmark bigot bestest belted belligerent beggin befall
        beeswax beatnik beaming barricade baggoli badness awoke artsy artful aroun armpits arming annihilate anise
        angiogram anaesthetic amorous ambiance alligators adoration admittance adama abydos zonked zhivago yorkin
        wrongfully writin wrappers worrywart woops wonderfalls womanly wickedness whoopie wholeheartedly whimper
        which'll wheelchairs what'ya warranted wallop wading wacked virginal vermouth vermeil verger ventriss veneer
        vampira utero ushers urgently untoward unshakable unsettled unruly unlocks ungodly undue uncooperative
        uncontrollably unbeatable twitchy tumbler truest triumphs triplicate tribbey tortures tongaree tightening
        thorazine theres testifies teenaged tearful taxing taldor syllabus swoops swingin suspending sunburn stuttering
        stupor strides strategize strangulation stooped stipulation stingy stapled squeaks squawking spoilsport splicing
        spiel spencers spasms spaniard softener sodding soapbox smoldering smithbauer skittish sifting sickest sicilians
        shuffling shrivel segretti seeping securely scurrying scrunch scrote screwups schenkman sawing savin satine
        sapiens salvaging salmonella sacrilege rumpus ruffle roughing rotted rondall ridding rickshaw rialto rhinestone
        restrooms reroute requisite repress rednecks redeeming rayed ravell raked raincheck raffi racked pushin profess
        prodding procure presuming preppy prednisone potted posttraumatic poorhouse podiatrist plowed pledging playroom
        plait placate pinback picketing photographing pharoah petrak petal persecuting perchance pellets peeved peerless
        payable pauses pathologist pagliacci overwrought overreaction overqualified overheated outcasts otherworldly
        opinionated oodles oftentimes occured obstinate nutritionist numbness nubile nooooooo nobodies nepotism
        neanderthals mushu mucus mothering mothballs monogrammed molesting misspoke misspelled misconstrued
        miscalculated minimums mince mildew mighta middleman mementos mellowed mayol mauled massaged marmalade mardi
        makings lundegaard lovingly loudest lotto loosing loompa looming longs loathes littlest littering lifelike
        legalities laundered lapdog lacerations kopalski knobs knitted kittridge kidnaps kerosene karras jungles jockeys
        iranoff invoices invigorating insolence insincere insectopia inhumane inhaling ingrates infestation
        individuality indeterminate incomprehensible inadequacy impropriety importer imaginations illuminating ignite
        hysterics hypodermic hyperventilate hyperactive humoring honeymooning honed hoist hoarding hitching hiker
        hightail hemoglobin hell'd heinie growin grasped grandparent granddaughters gouged goblins gleam glades gigantor
        get'em geriatric gatekeeper gargoyles gardenias garcon garbo gallows gabbing futon fulla frightful freshener
        fortuitous forceps fogged fodder foamy flogging flaun flared fireplaces feverish favell fattest fattening fallow
        extraordinaire evacuating errant envied enchant enamored egocentric dussander dunwitty dullest dropout dredged
        dorsia doornail donot dongs dogged dodgy ditty dishonorable discriminating discontinue dings dilly dictation
        dialysis delly delightfully daryll dandruff cruddy croquet cringe crimp credo crackling courtside counteroffer
        counterfeiting corrupting copping conveyor contusions contusion conspirator consoling connoisseur confetti
        composure compel colic coddle cocksuckers coattails cloned claustrophobia clamoring churn chugga chirping chasin
        chapped chalkboard centimeter caymans catheter casings caprica capelli cannolis cannoli camogli camembert
        butchers butchered busboys bureaucrats buckled bubbe brownstone bravely brackley bouquets botox boozing boosters
        bodhi blunders blunder blockage biocyte betrays bested beryllium beheading beggar begbie beamed bastille
        barstool barricades barbecues barbecued bandwagon backfiring bacarra avenged autopsies aunties associating
        artichoke arrowhead appendage apostrophe antacid ansel annul amuses amped amicable amberg alluring adversaries
        admirers adlai acupuncture abnormality aaaahhhh zooming zippity zipping zeroed yuletide yoyodyne yengeese yeahhh
        wrinkly wracked withered winks windmills whopping wendle weigart waterworks waterbed watchful wantin wagging
        waaah vying ventricle varnish vacuumed unreachable unprovoked unmistakable unfriendly unfolding underpaid uncuff
        unappealing unabomber typhoid tuxedos tushie turds tumnus troubadour trinium treaters treads transpired
        transgression tought thready thins thinners techs teary tattaglia tassels tarzana tanking tablecloths
        synchronize symptomatic sycophant swimmingly sweatshop surfboard superpowers sunroom sunblock sugarplum stupidly
        strumpet strapless stooping stools stealthy stalks stairmaster staffer sshhh squatting squatters spectacularly
        sorbet socked sociable snubbed snorting sniffles snazzy snakebite smuggler smorgasbord smooching slurping slouch
        slingshot slaved skimmed sisterhood silliest sidarthur sheraton shebang sharpening shanghaied shakers sendoff
        scurvy scoliosis scaredy scagnetti sawchuk saugus sasquatch sandbag saltines s'pose roston rostle riveting
        ristle rifling revulsion reverently retrograde restful resents reptilian reorganize renovating reiterate
        reinvent reinmar reibers reechard recuse reconciling recognizance reclaiming recitation recieved rebate
        reacquainted rascals railly quintuplets quahog pygmies puzzling punctuality prosthetic proms probie preys
        preserver preppie poachers plummet plumbers plannin pitying pitfalls piqued pinecrest pinches pillage pigheaded
        physique pessimistic persecute perjure percentile pentothal pensky penises peini pazzi pastels parlour
        paperweight pamper pained overwhelm overalls outrank outpouring outhouse outage ouija obstructed obsessions
        obeying obese o'riley o'higgins nosebleeds norad noooooooo nononono nonchalant nippy neurosis nekhorvich
        necronomicon naquada n'est mystik mystified mumps muddle mothership moped monumentally monogamous mondesi
        misogynistic misinterpreting mindlock mending megaphone meeny medicating meanie masseur markstrom marklars
        margueritas manifesting maharajah lukewarm loveliest loran lizardo liquored lipped lingers limey lemkin
        leisurely lathe latched lapping ladle krevlorneswath kosygin khakis kenaru keats kaitlan julliard jollies
        jaundice jargon jackals invisibility insipid inflamed inferiority inexperience incinerated incinerate incendiary
        incan inbred implicating impersonator hunks horsing hooded hippopotamus hiked hetson hetero hessian henslowe
        hendler hellstrom headstone hayloft harbucks handguns hallucinate haldol haggling gynaecologist gulag guilder
        guaranteeing groundskeeper grindstone grimoir grievance griddle gribbit greystone graceland gooders goeth
        gentlemanly gelatin gawking ganged fukes fromby frenchmen foursome forsley forbids footwork foothold floater
        flinging flicking fittest fistfight fireballs fillings fiddling fennyman felonious felonies feces favoritism
        fatten fanatics faceman excusing excepted entwined entree ensconced eladio ehrlichman easterland dueling
        dribbling drape downtrodden doused dosed dorleen dokie distort displeased disown dismount disinherited disarmed
        disapproves diperna dined diligent dicaprio depress decoded debatable dealey darsh damsels damning dad'll
        d'oeuvre curlers curie cubed crikey crepes countrymen cornfield coppers copilot copier cooing conspiracies
        consigliere condoning commoner commies combust comas colds clawed clamped choosy chomping chimps chigorin
        chianti cheep checkups cheaters celibate cautiously cautionary castell carpentry caroling carjacking caritas
        caregiver cardiology candlesticks canasta cain't burro burnin bunking bumming bullwinkle brummel brooms brews
        breathin braslow bracing botulism boorish bloodless blayne blatantly blankie bedbugs becuase barmaid bared
        baracus banal bakes backpacks attentions atrocious ativan athame asunder astound assuring aspirins asphyxiation
        ashtrays aryans arnon apprehension applauding anvil antiquing antidepressants annoyingly amputate altruistic
        alotta alerting afterthought affront affirm actuality abysmal absentee yeller yakushova wuzzy wriggle worrier
        woogyman womanizer windpipe windbag willin whisking whimsy wendall weeny weensy weasels watery watcha wasteful
        waski washcloth waaay vouched viznick ventriloquist vendettas veils vayhue vamanos vadimus upstage uppity unsaid
        unlocking unintentionally undetected undecided uncaring unbearably tween tryout trotting trini trimmings
        trickier treatin treadstone trashcan transcendent tramps townsfolk torturous torrid toothpicks tolerable
        tireless tiptoeing timmay tillinghouse tidying tibia thumbing thrusters thrashing these'll thatos testicular
        teriyaki tenors tenacity tellers telemetry tarragon switchblade swicker swells sweatshirts swatches surging
        supremely sump'n succumb subsidize stumbles stuffs stoppin stipulate stenographer steamroll stasis stagger
        squandered splint splendidly splashy splashing specter sorcerers somewheres somber snuggled snowmobile sniffed
        snags smugglers smudged smirking smearing slings sleet sleepovers sleek slackers siree siphoning singed
        sincerest sickened shuffled shriveled shorthanded shittin shish shipwrecked shins sheetrock shawshank shamu
        sha're servitude sequins seascape scrapings scoured scorching sandpaper saluting salud ruffled roughnecks
        rougher rosslyn rosses roost roomy romping revolutionize reprimanded refute refrigerated reeled redundancies
        rectal recklessly receding reassignment reapers readout ration raring ramblings raccoons quarantined purging
        punters psychically premarital pregnancies predisposed precautionary pollute podunk plums plaything pixilated
        pitting piranhas pieced piddles pickled photogenic phosphorous pffft pestilence pessimist perspiration perps
        penticoff passageways pardons panics pancamo paleontologist overwhelms overstating overpaid overdid outlive
        orthodontist orgies oreos ordover ordinates ooooooh oooohhh omelettes officiate obtuse obits nymph novocaine
        noooooooooo nipping nilly nightstick negate neatness natured narcotic narcissism namun nakatomi murky muchacho
        mouthwash motzah morsel morph morlocks mooch moloch molest mohra modus modicum mockolate misdemeanors
        miscalculation middies meringue mercilessly meditating mayakovsky maximillian marlee markovski maniacal
        maneuvered magnificence maddening lutze lunged lovelies lorry loosening lookee littered lilac lightened laces
        kurzon kurtzweil kind've kimono kenji kembu keanu kazuo jonesing jilted jiggling jewelers jewbilee jacqnoud
        jacksons ivories insurmountable innocuous innkeeper infantery indulged indescribable incoherent impervious
        impertinent imperfections hunnert huffy horsies horseradish hollowed hogwash hockley hissing hiromitsu hidin
        hereafter helpmann hehehe haughty happenings hankie handsomely halliwells haklar haise gunsights grossly grope
        grocer grits gripping grabby glorificus gizzard gilardi gibarian geminon gasses garnish galloping gairwyn
        futterman futility fumigated fruitless friendless freon foregone forego floored flighty flapjacks fizzled ficus
        festering farbman fabricate eyghon extricate exalted eventful esophagus enterprising entail endor emphatically
        embarrasses electroshock easel duffle drumsticks dissection dissected disposing disparaging disorientation
        disintegrated disarming devoting dessaline deprecating deplorable delve degenerative deduct decomposed deathly
        dearie daunting dankova cyclotron cyberspace cutbacks culpable cuddled crumpets cruelly crouching cranium
        cramming cowering couric cordesh conversational conclusively clung clotting cleanest chipping chimpanzee chests
        cheapen chainsaws censure catapult caravaggio carats captivating calrissian butlers busybody bussing bunion
        bulimic budging brung browbeat brokenhearted brecher breakdowns bracebridge boning blowhard blisters blackboard
        bigotry bialy bhamra bended begat battering baste basquiat barricaded barometer balled baited badenweiler
        backhand ascenscion argumentative appendicitis apparition anxiously antagonistic angora anacott amniotic
        ambience alonna aleck akashic ageless abouts aawwww aaaaarrrrrrggghhh aaaaaa zendi yuppies yodel y'hear wrangle
        wombosi wittle withstanding wisecracks wiggling wierd whittlesley whipper whattya whatsamatter whatchamacallit
        whassup whad'ya weakling warfarin waponis wampum wadn't vorash vizzini virtucon viridiana veracity ventilated
        varicose varcon vandalized vamos vamoose vaccinated vacationing usted urinal uppers unwittingly unsealed
        unplanned unhinged unhand unfathomable unequivocally unbreakable unadvisedly udall tynacorp tuxes tussle turati
        tunic tsavo trussed troublemakers trollop tremors transsexual transfusions toothbrushes toned toddlers tinted
        tightened thundering thorpey this'd thespian thaddius tenuous tenths tenement telethon teleprompter teaspoon
        taunted tattle tardiness taraka tappy tapioca tapeworm talcum tacks swivel swaying superpower summarize sumbitch
        sultry suburbia styrofoam stylings strolls strobe stockpile stewardesses sterilized sterilize stealin stakeouts
        squawk squalor squabble sprinkled sportsmanship spokes spiritus sparklers spareribs sowing sororities
        sonovabitch solicit softy softness softening snuggling snatchers snarling snarky snacking smears slumped slowest
        slithering sleazebag slayed slaughtering skidded skated sivapathasundaram sissies silliness silences sidecar
        sicced shylock shtick shrugged shriek shoves should'a shortcake shockingly shirking shaves shatner sharpener
        shapely shafted sexless septum selflessness seabea scuff screwball scoping scooch scolding schnitzel schemed
        scalper santy sankara sanest salesperson sakulos safehouse sabers runes rumblings rumbling ruijven ringers
        righto rhinestones retrieving reneging remodelling relentlessly regurgitate refills reeking reclusive
        recklessness recanted ranchers rafer quaking quacks prophesied propensity profusely problema prided prays
        postmark popsicles poodles pollyanna polaroids pokes poconos pocketful plunging plugging pleeease platters
        pitied pinetti piercings phooey phonies pestering periscope pentagram pelts patronized paramour paralyze
        parachutes pales paella paducci owatta overdone overcrowded overcompensating ostracized ordinate optometrist
        operandi omens okayed oedipal nuttier nuptial nunheim noxious nourish notepad nitroglycerin nibblet neuroses
        nanosecond nabbit mythic munchkins multimillion mulroney mucous muchas mountaintop morlin mongorians moneybags
        mom'll molto mixup misgivings mindset michalchuk mesmerized merman mensa meaty mbwun materialize materialistic
        masterminded marginally mapuhe malfunctioning magnify macnamara macinerney machinations macadamia lysol lurks
        lovelorn lopsided locator litback litany linea limousines limes lighters liebkind levity levelheaded letterhead
        lesabre leron lepers lefts leftenant laziness layaway laughlan lascivious laryngitis lapsed landok laminated
        kurten kobol knucklehead knowed knotted kirkeby kinsa karnovsky jolla jimson jettison jeric jawed jankis
        janitors jango jalopy jailbreak jackers jackasses invalidate intercepting intercede insinuations infertile
        impetuous impaled immerse immaterial imbeciles imagines idyllic idolized icebox i'd've hypochondriac hyphen
        hurtling hurried hunchback hullo horsting hoooo homeboys hollandaise hoity hijinks hesitates herrero herndorff
        helplessly heeyy heathen hearin headband harrassment harpies halstrom hahahahaha hacer grumbling grimlocks grift
        greets grandmothers grander grafts gordievsky gondorff godorsky glscripts gaudy gardeners gainful fuses
        fukienese frizzy freshness freshening fraught frantically foxbooks fortieth forked foibles flunkies fleece
        flatbed fisted firefight fingerpaint filibuster fhloston fenceline femur fatigues fanucci fantastically
        familiars falafel fabulously eyesore expedient ewwww eviscerated erogenous epidural enchante embarassed embarass
        embalming elude elspeth electrocute eigth eggshell echinacea eases earpiece earlobe dumpsters dumbshit dumbasses
        duloc duisberg drummed drinkers dressy dorma doily divvy diverting dissuade disrespecting displace disorganized
        disgustingly discord disapproving diligence didja diced devouring detach destructing desolate demerits delude
        delirium degrade deevak deemesa deductions deduce debriefed deadbeats dateline darndest damnable dalliance
        daiquiri d'agosta cussing cryss cripes cretins crackerjack cower coveting couriers countermission cotswolds
        convertibles conversationalist consorting consoled consarn confides confidentially commited commiserate comme
        comforter comeuppance combative comanches colosseum colling coexist coaxing cliffside chutes chucked chokes
        childlike childhoods chickening chenowith charmingly changin catsup captioning capsize cappucino capiche
        candlewell cakewalk cagey caddie buxley bumbling bulky buggered brussel brunettes brumby brotha bronck brisket
        bridegroom braided bovary bookkeeper bluster bloodline blissfully blase billionaires bicker berrisford bereft
        berating berate bendy belive belated beikoku beens bedspread bawdy barreling baptize banya balthazar balmoral
        bakshi bails badgered backstreet awkwardly auras attuned atheists astaire assuredly arrivederci appetit
        appendectomy apologetic antihistamine anesthesiologist amulets albie alarmist aiight adstream admirably acquaint
        abound abominable aaaaaaah zekes zatunica wussy worded wooed woodrell wiretap windowsill windjammer windfall
        whisker whims whatiya whadya weirdly weenies waunt washout wanto waning victimless verdad veranda vandaley
        vancomycin valise vaguest upshot unzip unwashed untrained unstuck unprincipled unmentionables unjustly unfolds
        unemployable uneducated unduly undercut uncovering unconsciousness unconsciously tyndareus turncoat turlock
        tulle tryouts trouper triplette trepkos tremor treeger trapeze traipse tradeoff trach torin tommorow tollan
        toity timpani thumbprint thankless tell'em telepathy telemarketing telekinesis teevee teeming tarred tambourine
        talentless swooped switcheroo swirly sweatpants sunstroke suitors sugarcoat subways subterfuge subservient
        subletting stunningly strongbox striptease stravanavitch stradling stoolie stodgy stocky stifle stealer squeezes
        squatter squarely sprouted spool spindly speedos soups soundly soulmates somebody'll soliciting solenoid
        sobering snowflakes snowballs snores slung slimming skulk skivvies skewered skewer sizing sistine sidebar sickos
        shushing shunt shugga shone shol'va sharpened shapeshifter shadowing shadoe selectman sefelt seared scrounging
        scribbling scooping scintillating schmoozing scallops sapphires sanitarium sanded safes rudely roust rosebush
        rosasharn rondell roadhouse riveted rewrote revamp retaliatory reprimand replicators replaceable remedied
        relinquishing rejoicing reincarnated reimbursed reevaluate redid redefine recreating reconnected rebelling
        reassign rearview rayne ravings ratso rambunctious radiologist quiver quiero queef qualms pyrotechnics pulsating
        psychosomatic proverb promiscuous profanity prioritize preying predisposition precocious precludes prattling
        prankster povich potting postpartum porridge polluting plowing pistachio pissin pickpocket physicals peruse
        pertains personified personalize perjured perfecting pepys pepperdine pembry peering peels pedophile patties
        passkey paratrooper paraphernalia paralyzing pandering paltry palpable pagers pachyderm overstay overestimated
        overbite outwit outgrow outbid ooops oomph oohhh oldie obliterate objectionable nygma notting noches nitty
        nighters newsstands newborns neurosurgery nauseated nastiest narcolepsy mutilate muscled murmur mulva mulling
        mukada muffled morgues moonbeams monogamy molester molestation molars moans misprint mismatched mirth mindful
        mimosas millander mescaline menstrual menage mellowing medevac meddlesome matey manicures malevolent madmen
        macaroons lydell lycra lunchroom lunching lozenges looped litigious liquidate linoleum lingk limitless limber
        lilacs ligature liftoff lemmiwinks leggo learnin lazarre lawyered lactose knelt kenosha kemosabe jussy junky
        jordy jimmies jeriko jakovasaur issacs isabela irresponsibility ironed intoxication insinuated inherits ingest
        ingenue inflexible inflame inevitability inedible inducement indignant indictments indefensible incomparable
        incommunicado improvising impounded illogical ignoramus hydrochloric hydrate hungover humorless humiliations
        hugest hoverdrone hovel hmmph hitchhike hibernating henchman helloooo heirlooms heartsick headdress hatches
        harebrained hapless hanen handsomer hallows habitual guten gummy guiltier guidebook gstaad gruff griss grieved
        grata gorignak goosed goofed glowed glitz glimpses glancing gilmores gianelli geraniums garroway gangbusters
        gamblers galls fuddy frumpy frowning frothy fro'tak frere fragrances forgettin follicles flowery flophouse
        floatin flirts flings flatfoot fingerprinting fingerprinted fingering finald fillet fianc femoral federales
        fawkes fascinates farfel fambly falsified fabricating exterminators expectant excusez excrement excercises evian
        etins esophageal equivalency equate equalizer entrees enquire endearment empathetic emailed eggroll earmuffs
        dyslexic duper duesouth drunker druggie dreadfully dramatics dragline downplay downers dominatrix doers docket
        docile diversify distracts disloyalty disinterested discharging disagreeable dirtier dinghy dimwitted dimoxinil
        dimmy diatribe devising deviate detriment desertion depressants depravity deniability delinquents defiled
        deepcore deductive decimate deadbolt dauthuille dastardly daiquiris daggers dachau curiouser curdled cucamonga
        cruller cruces crosswalk crinkle crescendo cremate counseled couches cornea corday copernicus contrition
        contemptible constipated conjoined confounded condescend concoct conch compensating committment commandeered
        comely coddled cockfight cluttered clunky clownfish cloaked clenched cleanin civilised circumcised cimmeria
        cilantro chutzpah chucking chiseled chicka chattering cervix carrey carpal carnations cappuccinos candied
        calluses calisthenics bushy burners budington buchanans brimming braids boycotting bouncers botticelli botherin
        bookkeeping bogyman bogged bloodthirsty blintzes blanky binturong billable bigboote bewildered betas bequeath
        behoove befriend bedpost bedded baudelaires barreled barboni barbeque bangin baltus bailout backstabber baccarat
        awning augie arguillo archway apricots apologising annyong anchorman amenable amazement allspice alannis airfare
        airbags ahhhhhhhhh ahhhhhhhh ahhhhhhh agitator adrenal acidosis achoo accessorizing accentuate abrasions
        abductor aaaahhh aaaaaaaa aaaaaaa zeroing zelner zeldy yevgeny yeska yellows yeesh yeahh yamuri wouldn't've
        workmanship woodsman winnin winked wildness whoring whitewash whiney when're wheezer wheelman wheelbarrow
        westerburg weeding watermelons washboard waltzes wafting voulez voluptuous vitone vigilantes videotaping
        viciously vices veruca vermeer verifying vasculitis valets upholstered unwavering untold unsympathetic
        unromantic unrecognizable unpredictability unmask unleashing unintentional unglued unequivocal underrated
        underfoot unchecked unbutton unbind unbiased unagi uhhhhh tugging triads trespasses treehorn traviata trappers
        transplants trannie tramping tracheotomy tourniquet tooty
        """
}
